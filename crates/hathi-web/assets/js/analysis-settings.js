// @ts-check
/** Whether the engine looks on, and how: kept in this browser, the same on every board. */

const KEY = "analysis";

/** `by` is another engine of this machine; Hathi if it is empty. @typedef {{on: boolean, lines: number, threads: number, megabytes: number, by: string}} AnalysisSettings */

/** @type {AnalysisSettings} */
const USUAL = { on: false, lines: 3, threads: 1, megabytes: 64, by: "" };

/** @returns {AnalysisSettings} */
export function analysisSettings() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    const count = (/** @type {"lines" | "threads" | "megabytes"} */ name) => (Number.isInteger(kept[name]) && kept[name] >= 1 ? kept[name] : USUAL[name]);
    return { on: kept.on === true, lines: Math.min(5, count("lines")), threads: count("threads"), megabytes: count("megabytes"), by: typeof kept.by === "string" ? kept.by : "" };
  } catch {
    return USUAL;
  }
}

/** @param {Partial<AnalysisSettings>} change */
export function changeAnalysis(change) {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...analysisSettings(), ...change }));
  } catch {
    // A browser that keeps nothing: it counts for this page only.
  }
}
