// @ts-check
/** A real `hathi serve` on a store of its own, gone at the end. */

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const program = process.env.HATHI_BIN ?? new URL("../../../../target/debug/hathi", import.meta.url).pathname;

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
      server.close(() => resolve(port));
    });
  });
}

export class Hathi {
  /** @param {string} folder @param {number} port */
  constructor(folder, port) {
    this.folder = folder;
    this.store = join(folder, "games.db");
    this.port = port;
    this.base = `http://127.0.0.1:${port}`;
    this.log = "";
    /** @type {import("node:child_process").ChildProcess | null} */
    this.process = null;
  }

  /** A fresh store with made-up games, always the same ones. @param {number} games */
  static async start(games) {
    const hathi = new Hathi(mkdtempSync(join(tmpdir(), "hathi-page-")), await freePort());
    if (games > 0) {
      const archive = join(hathi.folder, "games.txt");
      hathi.run("synth", "--games", String(games), "--seed", "7", "-o", archive);
      hathi.run("import", archive, "--store", hathi.store);
    }
    await hathi.serve();
    return hathi;
  }

  /** A first start, with the samples, and then these archives. @param {string[]} archives */
  static async startReal(archives) {
    const hathi = new Hathi(mkdtempSync(join(tmpdir(), "hathi-page-")), await freePort());
    await hathi.serve([]);
    hathi.run("import", "--store", hathi.store, ...archives);
    await hathi.stop();
    await hathi.serve([]);
    return hathi;
  }

  /** @param {...string} words */
  run(...words) {
    return execFileSync(program, words, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  }

  /** @param {string[]} options */
  async serve(options = ["--no-samples"]) {
    const child = spawn(program, ["serve", "--port", String(this.port), "--store", this.store, ...options], {
      cwd: this.folder,
      env: { ...process.env, XDG_DATA_HOME: this.folder, HATHI_STORE: "" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.process = child;
    for (const pipe of [child.stdout, child.stderr]) pipe?.on("data", (text) => (this.log += text));
    for (let tries = 0; tries < 200; tries++) {
      if (child.exitCode !== null) throw new Error(`hathi serve has ended: ${this.log}`);
      try {
        if ((await fetch(`${this.base}/api/v1/status`)).ok) return;
      } catch {
        // Not listening yet.
      }
      await new Promise((done) => setTimeout(done, 50));
    }
    throw new Error(`hathi serve does not answer: ${this.log}`);
  }

  /** Asks the API. @param {string} path @param {Record<string, string | number>} [params] @returns {Promise<any>} */
  async get(path, params = {}) {
    const query = new URLSearchParams(Object.entries(params).map(([key, value]) => [key, String(value)]));
    const response = await fetch(`${this.base}/api/v1${path}?${query}`);
    const answer = await response.json();
    assert.ok(response.ok, `${path}: ${JSON.stringify(answer)}`);
    return answer;
  }

  /** Orders something of the API. @param {string} path @param {unknown} body @returns {Promise<any>} */
  async post(path, body) {
    const response = await fetch(`${this.base}/api/v1${path}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
    const answer = await response.json();
    assert.ok(response.ok, `${path}: ${JSON.stringify(answer)}`);
    return answer;
  }

  /** Ends the server as Ctrl-C would; it must go in peace. */
  async stop() {
    const child = this.process;
    if (child && child.exitCode === null) {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      const slow = setTimeout(() => child.kill("SIGKILL"), 15000);
      const [code] = await ended;
      clearTimeout(slow);
      assert.equal(code, 0, `hathi serve ended with ${code}: ${this.log}`);
    }
    this.process = null;
  }

  remove() {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
