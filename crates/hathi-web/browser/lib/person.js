// @ts-check
/** A person in front of the page: a window of some size, hands and eyes. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export const DESKTOP = { name: "desktop", width: 1280, height: 800, phone: false };
export const PHONE = { name: "phone", width: 360, height: 740, phone: true };

export function openBrowser() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"],
  });
}

export class Person {
  /**
   * @param {import("playwright-core").Page} page @param {string} base
   * @param {typeof DESKTOP} window
   */
  constructor(page, base, window) {
    this.page = page;
    this.base = base;
    this.window = window;
    /** What the browser complained about. @type {string[]} */
    this.troubles = [];
    page.on("pageerror", (error) => this.troubles.push(String(error.stack ?? error)));
    page.on("console", (message) => {
      // A refused request is the page's to explain; the browser logs it all the same.
      if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) this.troubles.push(message.text());
    });
    page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(base) && !url.startsWith("data:") && !url.startsWith("blob:")) this.troubles.push(`asks elsewhere: ${url}`);
    });
  }

  /**
   * @param {import("playwright-core").Browser} browser @param {string} base
   * @param {typeof DESKTOP} window @param {"light" | "dark"} [colours]
   */
  static async sitDown(browser, base, window, colours = "light") {
    const context = await browser.newContext({
      viewport: { width: window.width, height: window.height },
      isMobile: window.phone,
      hasTouch: window.phone,
      colorScheme: colours,
      acceptDownloads: true,
    });
    context.setDefaultTimeout(15000);
    return new Person(await context.newPage(), base, window);
  }

  /** @param {string} path */
  async go(path) {
    await this.page.goto(this.base + path, { waitUntil: "load" });
    await this.settled();
  }

  /** Nothing is loading any more. */
  async settled() {
    await this.page.waitForFunction(() => document.querySelector("main > :not(noscript)") && !document.querySelector("[aria-busy=true]"));
  }

  /** Clicks or taps, whatever this window has. @param {import("playwright-core").Locator | string} what */
  async press(what) {
    const locator = typeof what === "string" ? this.page.locator(what) : what;
    if (this.window.phone) await locator.tap();
    else await locator.click();
  }

  /** @param {string} name the words on it */
  button(name) {
    return this.page.getByRole("button", { name });
  }

  /** @param {string} name */
  square(name) {
    return this.page.locator(`.board [data-square=${name}]`);
  }

  /** @param {string} name */
  async touch(name) {
    await this.press(this.square(name));
    await this.page.waitForTimeout(60);
  }

  /** Drags with the mouse or a finger. @param {string} from @param {string} to */
  async drag(from, to) {
    const a = await this.middle(from);
    const b = await this.middle(to);
    if (this.window.phone) {
      await this.#swipe(a, b);
      return;
    }
    await this.page.mouse.move(a.x, a.y);
    await this.page.mouse.down();
    await this.page.mouse.move((a.x + b.x) / 2, (a.y + b.y) / 2, { steps: 3 });
    await this.page.mouse.move(b.x, b.y, { steps: 3 });
    await this.page.mouse.up();
    await this.page.waitForTimeout(60);
  }

  /** @param {{x: number, y: number}} a @param {{x: number, y: number}} b */
  async #swipe(a, b) {
    const session = await this.page.context().newCDPSession(this.page);
    /** @param {"touchStart" | "touchMove" | "touchEnd"} type @param {{x: number, y: number}[]} touchPoints */
    const finger = (type, touchPoints) => session.send("Input.dispatchTouchEvent", { type, touchPoints });
    await finger("touchStart", [a]);
    for (const part of [0.25, 0.5, 0.75, 1]) await finger("touchMove", [{ x: a.x + (b.x - a.x) * part, y: a.y + (b.y - a.y) * part }]);
    await finger("touchEnd", []);
    await session.detach();
    // A tap too soon after would be taken for a part of it.
    await this.page.waitForTimeout(1000);
  }

  /** @param {string} name */
  async middle(name) {
    await this.square(name).scrollIntoViewIfNeeded();
    const box = await this.square(name).boundingBox();
    assert.ok(box, `square ${name} is on the screen`);
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }

  /** What stands on a square, in the words a screen reader says. @param {string} name */
  async on(name) {
    return (await this.square(name).getAttribute("aria-label")) ?? "";
  }

  /** Waits until it stands there: hands are quicker than a busy machine. @param {string} name @param {string} piece */
  async sees(name, piece) {
    await this.page.locator(`.board [data-square=${name}][aria-label*="${piece}"]`).waitFor();
  }

  /** The line below the board. */
  words() {
    return this.page.locator(".board-words").innerText();
  }

  /** @param {RegExp} words */
  async hears(words) {
    await this.page.waitForFunction(
      ([source, flags]) => new RegExp(source ?? "", flags).test(document.querySelector(".board-words")?.textContent ?? ""),
      [words.source, words.flags],
    );
  }

  /** The page is not wider than the window: no sideways scrolling. */
  async fits() {
    const wide = await this.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(wide <= 0, `${this.page.url()} is ${wide} pixels too wide on the ${this.window.name}`);
  }

  /** What would keep people with other abilities out: serious and critical findings. */
  async barriers() {
    // Through the debugger: the page's own policy lets no script in.
    await this.page.evaluate(axeSource);
    const found = await this.page.evaluate(async () => {
      // @ts-ignore: axe is what was just loaded.
      const { violations } = await window.axe.run(document, { resultTypes: ["violations"] });
      return violations
        .filter((/** @type {any} */ v) => v.impact === "serious" || v.impact === "critical")
        .map((/** @type {any} */ v) => `${v.id}: ${v.help}\n${v.nodes.slice(0, 3).map((/** @type {any} */ n) => `${n.html}\n${n.failureSummary}`).join("\n")}`);
    });
    return found.map((/** @type {string} */ words) => `${this.page.url()} on the ${this.window.name}: ${words}`);
  }

  /** Nothing went wrong behind the scenes; leaves. */
  async standUp() {
    assert.deepEqual(this.troubles, []);
    await this.page.context().close();
  }
}
