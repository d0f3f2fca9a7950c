// @ts-check
/** Long text in an address: packed, then in letters that need no escaping. */

/** @param {string} text */
export async function pack(text) {
  const packed = await through(new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw")));
  let letters = "";
  for (const byte of packed) letters += String.fromCharCode(byte);
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** @param {string} packed */
export async function unpack(packed) {
  try {
    const letters = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    const text = await through(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")));
    return new TextDecoder().decode(text);
  } catch {
    throw new Error("The game in the address is damaged. Was the whole address copied?");
  }
}

/** @param {ReadableStream<Uint8Array>} stream */
const through = async (stream) => new Uint8Array(await new Response(stream).arrayBuffer());
