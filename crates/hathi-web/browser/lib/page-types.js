// @ts-check
/**
 * The page's types of what the server sends, compared with the server's own
 * description of it.
 *
 * A type is compared when its comment names its schema: `@typedef {{...}} Player
 * (API: PlayerView)`. Every field it has must be in the schema, of the same
 * type and null when that may be null. It may leave fields out, and it may say
 * which words a string can be where the schema only says that it is one.
 */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * A type as it is written: a name (`string`, `Game`), a word in quotes, an
 * object, a list of something, a record, or several of them.
 * @typedef {{is: "name", name: string} | {is: "word", word: string} | {is: "object", fields: Map<string, Type>} | {is: "list", of: Type} | {is: "record", of: Type} | {is: "either", types: Type[]} | {is: "both", types: Type[]}} Type
 */
/** A type is only read when it is compared: the page has others, too. @typedef {{name: string, schema: string | null, type: () => Type, file: string}} Definition */
/** @typedef {{[key: string]: any}} Schema */

/** Every type defined in a folder of scripts. @param {string} folder @returns {Definition[]} */
export function definitionsIn(folder) {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".js"));
  return files.flatMap((name) => definitionsOf(readFileSync(join(folder, name), "utf8"), name));
}

/** @param {string} source @param {string} file @returns {Definition[]} */
export function definitionsOf(source, file) {
  const found = [];
  for (const [comment] of source.matchAll(/\/\*\*[^]*?\*\//g)) {
    const text = comment.replace(/^\/\*\*|\*\/$/g, "").replace(/\n\s*\* ?/g, "\n");
    const tags = text.split(/(?<=^|\s)@(?=typedef|property)/).slice(1);
    /** The fields of an object that is described field by field. @type {Map<string, string> | null} */
    let open = null;
    for (const tag of tags) {
      const { expression, rest } = braces(tag);
      const [name = "", ...words] = rest.trim().split(/\s+/);
      if (tag.startsWith("typedef")) {
        const schema = /\(API: (\w+)\)/.exec(words.join(" "))?.[1] ?? null;
        /** @type {Map<string, string>} */
        const fields = new Map();
        open = expression === "object" ? fields : null;
        const type = open ? () => objectOf(fields) : () => parse(expression);
        // Taken from another file: defined there.
        if (!expression.startsWith("import(")) found.push({ name, schema, type, file });
      } else {
        open?.set(name.replace(/^\[|\]$/g, ""), expression);
      }
    }
  }
  return found;
}

/** @param {Map<string, string>} fields @returns {Type} */
const objectOf = (fields) => ({ is: "object", fields: new Map([...fields].map(([name, expression]) => [name, parse(expression)])) });

/** What stands between the first braces, and what comes after. @param {string} text */
function braces(text) {
  const start = text.indexOf("{");
  let depth = 0;
  for (let i = start; i < text.length; i++) {
    if (text[i] === "{") depth++;
    if (text[i] === "}") depth--;
    if (depth === 0) return { expression: text.slice(start + 1, i).trim(), rest: text.slice(i + 1) };
  }
  throw new Error(`a brace is missing: ${text}`);
}

/** @param {string} text @returns {Type} */
export function parse(text) {
  const tokens = text.match(/"[^"]*"|import\("[^"]*"\)\.\w+|[A-Za-z_]\w*|=>|[{}[\]()<>,:;|&?]/g) ?? [];
  let at = 0;
  const next = () => tokens[at] ?? "";
  const take = (/** @type {string} */ token) => {
    if (next() !== token) throw new Error(`expected ${token} but found ${next()} in ${text}`);
    at++;
  };
  /** @returns {Type} */
  const either = () => {
    const types = [both()];
    while (next() === "|") {
      take("|");
      types.push(both());
    }
    return types.length === 1 ? /** @type {Type} */ (types[0]) : { is: "either", types };
  };
  /** @returns {Type} */
  const both = () => {
    const types = [listed()];
    while (next() === "&") {
      take("&");
      types.push(listed());
    }
    return types.length === 1 ? /** @type {Type} */ (types[0]) : { is: "both", types };
  };
  /** @returns {Type} */
  const listed = () => {
    let type = single();
    while (next() === "[" && tokens[at + 1] === "]") {
      at += 2;
      type = { is: "list", of: type };
    }
    return type;
  };
  /** @returns {Type} */
  const single = () => {
    const token = next();
    if (token === "{") return object();
    if (token === "(") {
      take("(");
      const type = either();
      take(")");
      return type;
    }
    at++;
    if (token.startsWith('"')) return { is: "word", word: token.slice(1, -1) };
    if (token === "Record") {
      take("<");
      either();
      take(",");
      const of = either();
      take(">");
      return { is: "record", of };
    }
    return { is: "name", name: token.replace(/^.*\./, "") };
  };
  /** @returns {Type} */
  const object = () => {
    /** @type {Map<string, Type>} */
    const fields = new Map();
    take("{");
    while (next() !== "}") {
      const name = next();
      at++;
      if (next() === "?") at++;
      take(":");
      fields.set(name, either());
      if (next() === "," || next() === ";") at++;
    }
    take("}");
    return { is: "object", fields };
  };
  const type = either();
  if (at < tokens.length) throw new Error(`cannot read the type ${text} from ${next()} on`);
  return type;
}

export class Comparison {
  /** @param {Record<string, Schema>} schemas @param {Definition[]} definitions */
  constructor(schemas, definitions) {
    this.schemas = schemas;
    this.types = new Map(definitions.map(({ name, type }) => [name, type]));
    /** @type {string[]} */
    this.differences = [];
  }

  /** @param {Definition} definition */
  check({ name, schema, type, file }) {
    const described = this.schemas[schema ?? ""];
    if (described) this.#compare(`${name} in ${file}`, type(), described);
    else this.differences.push(`${name} in ${file}: the server describes no ${schema}`);
  }

  /** @param {string} where @param {Type} type @param {Schema} schema */
  #compare(where, type, schema) {
    const written = this.#unfold(type);
    const described = this.#resolve(schema);
    const mayBeNull = written.some((one) => one.is === "name" && one.name === "null");
    if (mayBeNull !== described.nullable) {
      this.differences.push(`${where}: the page says it ${mayBeNull ? "can" : "cannot"} be null, the server that it ${described.nullable ? "can" : "cannot"}`);
    }
    const types = written.filter((one) => !(one.is === "name" && one.name === "null"));
    this.#compareKind(where, types, described.schema);
  }

  /** Without null, which was looked at. @param {string} where @param {Type[]} types @param {Schema} schema */
  #compareKind(where, types, schema) {
    const [first] = types;
    const differs = (/** @type {string} */ words) => this.differences.push(`${where}: ${words}`);
    const kind = schema.type === "integer" ? "number" : schema.type;
    if (types.every((one) => one.is === "word")) {
      const words = types.map((one) => (one.is === "word" ? one.word : "")).sort();
      if (kind !== "string") differs(`the page has words, the server ${kind}`);
      const possible = schema.enum && [...schema.enum].sort();
      if (possible && possible.join() !== words.join()) differs(`the page knows ${words.join(", ")}, the server ${possible.join(", ")}`);
      return;
    }
    if (!first || types.length !== 1) {
      differs("a choice of types cannot be compared");
      return;
    }
    if (first.is === "name") {
      if (first.name !== kind) differs(`the page says ${first.name}, the server ${kind}`);
      else if (schema.enum) differs(`the page says ${first.name}, the server only ${schema.enum.join(", ")}`);
    } else if (first.is === "list") {
      if (kind !== "array") differs(`the page has a list, the server ${kind}`);
      else this.#compare(`${where}[]`, first.of, schema.items ?? {});
    } else if (first.is === "object" || first.is === "record") {
      if (kind !== "object") differs(`the page has an object, the server ${kind}`);
      else if (first.is === "object") this.#compareFields(where, first.fields, schema);
    }
  }

  /** @param {string} where @param {Map<string, Type>} fields @param {Schema} schema */
  #compareFields(where, fields, schema) {
    // Some things are described as objects of any kind.
    if (!schema.properties) return;
    for (const [name, type] of fields) {
      const property = schema.properties[name];
      if (property) this.#compare(`${where}.${name}`, type, property);
      else this.differences.push(`${where}.${name}: the server sends no such field`);
    }
  }

  /** Names replaced by what they stand for, one level deep: the alternatives of a type. @param {Type} type @returns {Type[]} */
  #unfold(type) {
    if (type.is === "either") return type.types.flatMap((one) => this.#unfold(one));
    const defined = type.is === "name" ? this.types.get(type.name) : undefined;
    if (defined) return this.#unfold(defined());
    if (type.is === "both") {
      const parts = type.types.flatMap((one) => this.#unfold(one));
      const fields = parts.flatMap((one) => (one.is === "object" ? [...one.fields] : []));
      return [{ is: "object", fields: new Map(fields) }];
    }
    return [type];
  }

  /** References followed, parts put together. @param {Schema} schema @returns {{schema: Schema, nullable: boolean}} */
  #resolve(schema) {
    if (schema.$ref) return this.#resolve(this.schemas[schema.$ref.split("/").at(-1)] ?? {});
    const choices = schema.oneOf ?? schema.anyOf;
    if (choices) {
      const real = choices.filter((/** @type {Schema} */ one) => one.type !== "null");
      // Words that are described one by one, each with what it means.
      const words = real.map((/** @type {Schema} */ one) => this.#resolve(one).schema);
      const merged = words.every((/** @type {Schema} */ one) => one.enum) ? { type: "string", enum: words.flatMap((/** @type {Schema} */ one) => one.enum) } : words[0];
      return { schema: merged, nullable: real.length < choices.length };
    }
    if (schema.allOf) {
      const parts = schema.allOf.map((/** @type {Schema} */ one) => this.#resolve(one).schema);
      return { schema: { type: "object", properties: Object.assign({}, ...parts.map((/** @type {Schema} */ one) => one.properties)) }, nullable: false };
    }
    if (Array.isArray(schema.type)) {
      const real = schema.type.filter((/** @type {string} */ one) => one !== "null");
      return { schema: { ...schema, type: real[0] }, nullable: real.length < schema.type.length };
    }
    return { schema, nullable: false };
  }
}
