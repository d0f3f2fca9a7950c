// @ts-check
/** What the page believes the server sends is what the server says it sends. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { Hathi } from "./lib/hathi.js";
import { Comparison, definitionsIn, definitionsOf } from "./lib/page-types.js";

const SCRIPTS = new URL("../assets/js", import.meta.url).pathname;

describe("the page's types", () => {
  /** @type {Hathi} */
  let hathi;
  before(async () => (hathi = await Hathi.start(0)));
  after(async () => {
    await hathi.stop();
    hathi.remove();
  });

  test("are those of the API", async () => {
    const { components } = await hathi.get("/openapi.json");
    const definitions = definitionsIn(SCRIPTS);
    const named = definitions.filter(({ schema }) => schema !== null);
    assert.ok(named.length > 25, `${named.length} types`);
    const comparison = new Comparison(components.schemas, definitions);
    for (const definition of named) comparison.check(definition);
    assert.deepEqual(comparison.differences, []);
  });

  test("all have a schema", () => {
    const own = definitionsOf(readFileSync(`${SCRIPTS}/types.js`, "utf8"), "types.js");
    assert.deepEqual(own.filter(({ schema }) => schema === null).map(({ name }) => name), []);
  });
});

/** The comparison itself: each kind of difference is seen. */
test("a type that has drifted is noticed", () => {
  const schemas = {
    ClockView: {
      type: "object",
      required: ["control"],
      properties: { control: { type: "string" }, gold: { type: ["number", "null"] }, moves: { type: "array", items: { $ref: "#/components/schemas/MoveView" } }, state: { $ref: "#/components/schemas/State" } },
    },
    MoveView: { type: "object", properties: { ply: { type: ["integer", "null"] } } },
    State: { oneOf: [{ type: "string", enum: ["on"] }, { type: "string", enum: ["off"] }] },
  };
  const differences = (/** @type {string} */ fields) => {
    const definitions = definitionsOf(`/** @typedef {{${fields}}} Clock (API: ClockView) */`, "x.js");
    const comparison = new Comparison(schemas, definitions);
    for (const definition of definitions) comparison.check(definition);
    return comparison.differences.join("; ");
  };
  assert.equal(differences('control: string, gold: number | null, moves: {ply: number | null}[], state: "on" | "off"'), "");
  assert.match(differences("gold: number"), /cannot be null, the server that it can/);
  assert.match(differences("control: string | null"), /can be null, the server that it cannot/);
  assert.match(differences("control: number"), /the page says number, the server string/);
  assert.match(differences("silver: number"), /Clock in x.js.silver: the server sends no such field/);
  assert.match(differences("moves: {ply: number}[]"), /moves\[\].ply/);
  assert.match(differences("moves: string"), /the page says string, the server array/);
  assert.match(differences('state: "on"'), /the page knows on, the server off, on/);
  assert.match(differences("state: string"), /the server only on, off/);
  const nobody = new Comparison(schemas, []);
  nobody.check({ name: "X", schema: "Gone", type: () => ({ is: "object", fields: new Map() }), file: "x.js" });
  assert.match(nobody.differences.join(), /describes no Gone/);
});
