// @ts-check
/** The API, read from its own description. */

import { API_DESCRIPTION } from "../addresses.js";
import { get } from "../api.js";
import { fill, h } from "../dom.js";
import { showing } from "../states.js";

/** @typedef {{name: string, in: string, required?: boolean, description?: string}} Parameter */
/** @typedef {{summary?: string, description?: string, parameters?: Parameter[], responses?: Record<string, {description?: string}>}} Operation */
/** @typedef {{info: {title: string, version: string, description?: string}, paths: Record<string, Record<string, Operation>>}} OpenApi */

/** @param {import("../app.js").Context} context @returns {import("../app.js").Page} */
export function page({ signal }) {
  const place = h("div", {});
  void showing(
    place,
    () => /** @type {Promise<OpenApi>} */ (get("/openapi.json", {}, signal)),
    ({ paths }) =>
      fill(
        place,
        Object.entries(paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => route(method, path, operation))),
      ),
  );
  return {
    title: "API",
    element: h(
      "div",
      { class: "narrow" },
      h("h1", {}, "The API"),
      h("p", {}, "JSON in, JSON out, the same questions as the command line. The whole description, for programs: ", h("a", { href: API_DESCRIPTION }, "openapi.json"), "."),
      place,
    ),
  };
}

/** @param {string} method @param {string} path @param {Operation} operation */
const route = (method, path, { summary, description, parameters = [], responses = {} }) =>
  h(
    "details",
    { class: "box card api-route" },
    h("summary", {}, h("code", {}, `${method.toUpperCase()} ${path}`), h("span", { class: "small muted" }, summary ?? "")),
    description && h("p", { class: "small" }, description),
    parameters.length > 0 &&
      h(
        "table",
        { class: "small" },
        h("thead", {}, h("tr", {}, h("th", {}, "Parameter"), h("th", {}, "Where"), h("th", {}, "What"))),
        h(
          "tbody",
          {},
          parameters.map((p) => h("tr", {}, h("td", {}, h("code", {}, p.name), p.required ? " (required)" : ""), h("td", {}, p.in), h("td", {}, p.description ?? ""))),
        ),
      ),
    h("p", { class: "small muted" }, Object.entries(responses).map(([status, { description: words }]) => `${status}: ${words ?? ""}`).join(" · ")),
  );
