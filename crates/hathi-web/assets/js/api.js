// @ts-check
/** Talking with the server: questions, orders and event streams. */

import { withQuery } from "./addresses.js";
import { answered, unanswered } from "./connection.js";

const BASE = "/api/v1";

/** What the server (or the line to it) said went wrong. */
export class ApiError extends Error {
  /** @param {string} code @param {string} message @param {number} status */
  constructor(code, message, status) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

/** @typedef {import("./addresses.js").Params} Params */

/** Below the API's root, for links and pictures. @param {string} path @param {Params} [params] */
export const apiAddress = (path, params) => withQuery(BASE + path, params);

/**
 * @param {string} url @param {RequestInit} options
 * @returns {Promise<Response>}
 */
async function request(url, options) {
  let response;
  try {
    response = await fetch(url, options);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    unanswered();
    throw new ApiError("offline", "The server does not answer. Is `hathi serve` still running?", 0);
  }
  answered();
  if (!response.ok) throw await failure(response);
  return response;
}

/** @param {Response} response */
async function failure(response) {
  try {
    const { error } = await response.json();
    return new ApiError(error.code, error.message, response.status);
  } catch {
    return new ApiError("unknown", `The server answered with status ${response.status}.`, response.status);
  }
}

/**
 * @template T
 * @param {string} path @param {Params} [params] @param {AbortSignal} [signal]
 * @returns {Promise<T>}
 */
export async function get(path, params, signal) {
  const response = await request(apiAddress(path, params), signal ? { signal } : {});
  return response.json();
}

/** A question whose answer is text, such as a drawing. @param {string} path @param {Params} params @param {AbortSignal} signal */
export async function getText(path, params, signal) {
  return (await request(apiAddress(path, params), { signal })).text();
}

/**
 * @template T
 * @param {string} path @param {unknown} body @param {AbortSignal} [signal]
 * @returns {Promise<T>}
 */
export async function post(path, body, signal) {
  const response = await send("POST", path, body, signal);
  return response.json();
}

/** @param {string} method @param {string} path @param {unknown} body @param {AbortSignal} [signal] */
export const send = (method, path, body, signal) =>
  request(BASE + path, {
    method,
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
    ...(signal ? { signal } : {}),
  });

/**
 * Sends bytes as they are.
 * @template T
 * @param {string} path @param {Blob} bytes @param {AbortSignal} [signal]
 * @returns {Promise<T>}
 */
export async function put(path, bytes, signal) {
  const response = await request(BASE + path, {
    method: "PUT",
    headers: { "Content-Type": "application/octet-stream" },
    body: bytes,
    ...(signal ? { signal } : {}),
  });
  return response.json();
}

/**
 * Reads an event stream to its end: each event goes to the handler of its
 * name. Ends with the last event, `done` or `failed`; `failed` throws.
 * @param {string} path @param {Params} params
 * @param {Record<string, (data: any) => void>} handlers
 * @param {AbortSignal} signal
 */
export async function stream(path, params, handlers, signal) {
  await readEvents(await request(apiAddress(path, params), { signal }), handlers);
}

/**
 * The same for a question that is too long for an address.
 * @param {string} path @param {unknown} body
 * @param {Record<string, (data: any) => void>} handlers
 * @param {AbortSignal} signal
 */
export async function postStream(path, body, handlers, signal) {
  await readEvents(await send("POST", path, body, signal), handlers);
}

/** @param {Response} response @param {Record<string, (data: any) => void>} handlers */
async function readEvents(response, handlers) {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  while (reader) {
    const { value, done } = await reader.read();
    if (done) break;
    rest += value;
    const events = rest.split(/\r?\n\r?\n/);
    rest = events.pop() ?? "";
    for (const event of events) {
      const { name, data } = readEvent(event);
      if (name === "") continue;
      if (name === "failed") throw new ApiError(data.error.code, data.error.message, 200);
      handlers[name]?.(data);
      if (name === "done") {
        void reader.cancel();
        return;
      }
    }
  }
  throw new ApiError("offline", "The server ended the conversation early.", 0);
}

/** @param {string} text @returns {{name: string, data: any}} */
function readEvent(text) {
  let name = "";
  const data = [];
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith("event:")) name = line.slice(6).trim();
    else if (line.startsWith("data:")) data.push(line.slice(5).trimStart());
  }
  return { name, data: data.length > 0 ? JSON.parse(data.join("\n")) : {} };
}

/** Was this only somebody moving on? @param {unknown} error */
export const isAbort = (error) => error instanceof DOMException && error.name === "AbortError";

/** @param {unknown} error */
export const messageOf = (error) => (error instanceof Error ? error.message : String(error));

/** Is what the question looks at being made? Then it is asked again by itself. @param {unknown} error */
export const isBeingComputed = (error) => error instanceof ApiError && error.code === "facts";

/** Until it is asked again. @returns {Promise<void>} */
export const soon = () => new Promise((done) => setTimeout(() => done(), 1000));
