import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { PNG } from 'pngjs';
import type { DrivenPage } from './drivenPage';
import { findInPage, type Facts, type Step, type Words } from './findInPage';
import { keysOf, pressed, typed } from './keys';
import { reads } from './reads';
import { DriverError, type ElementRef } from './webDriver';

/** How long an action waits for its element, ms. */
const actionTimeout = 20_000;
const betweenLooks = 100;

/** Answers that a page that is just changing gives; the next look finds the page that follows. */
const passing = new Set([
  'stale element reference',
  'no such element',
  'no such frame',
  'element click intercepted',
  'element not interactable',
  'javascript error',
]);

const roles = readFileSync(
  require.resolve('@testing-library/dom').replace(/index\.js$/, '@testing-library/dom.umd.min.js'),
  'utf8',
);

const wordsOf = (text: string | RegExp, exact = false): Words =>
  typeof text === 'string' ? { text, exact } : { pattern: [text.source, text.flags] };

interface Place {
  readonly x: number;
  readonly y: number;
}
interface Pointed {
  readonly position?: Place;
}

/** These run in the page, so they refer to nothing outside themselves. */
function boxOf(element: Element) {
  const { x, y, width, height } = element.getBoundingClientRect();
  return { x, y, width, height };
}
function placeToPress(element: Element, at: Place | null): Place | null {
  const look = () => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return { x: left + (at ? at.x : width / 2), y: top + (at ? at.y : height / 2) };
  };
  const isInside = ({ x, y }: Place) => x >= 0 && y >= 0 && x < innerWidth && y < innerHeight;
  if (!isInside(look())) element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
  const place = look();
  const hit = document.elementFromPoint(place.x, place.y);
  const label = hit?.closest('label');
  return element.contains(hit) || label?.control === element ? place : null;
}

interface Exact {
  readonly exact?: boolean;
}

/** What locators, pages and frames have in common: the ways to name an element. */
export abstract class Root {
  protected abstract step(step: Step): DrivenLocator;

  getByRole(role: string, { name, exact }: Exact & { readonly name?: string | RegExp } = {}) {
    return this.step({ by: 'role', role, ...(name === undefined ? {} : { name: wordsOf(name, exact) }) });
  }
  getByText(text: string | RegExp, { exact }: Exact = {}) {
    return this.step({ by: 'text', words: wordsOf(text, exact) });
  }
  getByLabel(text: string | RegExp, { exact }: Exact = {}) {
    return this.step({ by: 'label', words: wordsOf(text, exact) });
  }
  getByPlaceholder(text: string | RegExp, { exact }: Exact = {}) {
    return this.step({ by: 'placeholder', words: wordsOf(text, exact) });
  }
  locator(selector: string) {
    return this.step({ by: 'css', selector });
  }
}

/** A page's or a frame's content. */
export class FrameRoot extends Root {
  constructor(
    private readonly owner: DrivenPage,
    private readonly frames: readonly string[],
  ) {
    super();
  }
  protected step(step: Step) {
    return reads(new DrivenLocator(this.owner, this.frames, [step]), 'locator');
  }
  frameLocator(selector: string) {
    return reads(new FrameRoot(this.owner, [...this.frames, selector]), 'frameLocator');
  }
}

/** Playwright's locator over WebDriver: it looks for its element each time. */
export class DrivenLocator extends Root {
  constructor(
    private readonly owner: DrivenPage,
    private readonly frames: readonly string[],
    private readonly steps: readonly Step[],
  ) {
    super();
  }

  protected step(step: Step) {
    return reads(new DrivenLocator(this.owner, this.frames, [...this.steps, step]), 'locator');
  }
  page() {
    return this.owner;
  }
  filter({ hasText }: { readonly hasText: string | RegExp }) {
    return this.step({ by: 'containing', words: wordsOf(hasText) });
  }
  or(other: DrivenLocator) {
    return this.step({ by: 'or', steps: other.steps });
  }
  nth(place: number) {
    return this.step({ by: 'place', place });
  }
  first() {
    return this.nth(0);
  }

  /** What is known of every element that it leads to at this moment; nothing while the page is changing. */
  async facts(): Promise<readonly Facts[]> {
    return await this.look(async () => await this.find<Facts>('facts'));
  }
  async count() {
    return (await this.facts()).length;
  }
  async all() {
    return Array.from({ length: await this.count() }, (_one, place) => this.nth(place));
  }
  async isVisible() {
    return (await this.facts())[0]?.visible ?? false;
  }
  async textContent() {
    return await this.evaluate((one) => one.textContent);
  }
  async innerText() {
    return await this.evaluate((one) => (one as HTMLElement).innerText);
  }
  async inputValue() {
    return await this.evaluate((one) => (one as HTMLInputElement).value);
  }
  async getAttribute(name: string) {
    return await this.evaluate((one, key) => one.getAttribute(key), name);
  }
  async evaluate<Result, Argument>(
    read: (element: Element, argument: Argument) => Result,
    argument?: Argument,
  ) {
    return await this.withOne(async (element) => await this.ask(element, read, argument));
  }
  /** Cuts the element out of a picture of the page, because the driver draws a single element black. */
  async screenshot() {
    return await this.withOne(async (element) => {
      const { x, y, width, height } = await this.ask(element, async (one) => {
        one.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
        // The picture shows what was painted last, on a busy machine the place before.
        for (const _ of [1, 2]) await new Promise(requestAnimationFrame);
        const { left, top, right, bottom } = one.getBoundingClientRect();
        const [x, y] = [Math.ceil(left), Math.ceil(top)];
        return { x, y, width: Math.floor(right) - x, height: Math.floor(bottom) - y };
      });
      const all = PNG.sync.read(Buffer.from(await this.command<string>('GET', '/screenshot'), 'base64'));
      const part = new PNG({ width, height });
      PNG.bitblt(all, part, x, y, width, height, 0, 0);
      return PNG.sync.write(part);
    });
  }
  async boundingBox() {
    return await this.withOne(async (element) => {
      const [left, top] = await this.corner();
      const { x, y, ...size } = await this.ask(element, boxOf);
      return { x: left + x, y: top + y, ...size };
    });
  }

  async click({ position }: Pointed = {}) {
    await this.point(1, position);
  }
  async dblclick({ position }: Pointed = {}) {
    await this.point(2, position);
  }
  async focus() {
    await this.enterFrame();
    await this.evaluate((one) => {
      (one as HTMLElement).focus();
    });
  }
  /** Replaces what is there, by keys. */
  async fill(text: string) {
    await this.enterFrame();
    await this.withOne(async (element) => {
      await this.ask(element, (one) => {
        (one as HTMLInputElement).focus();
        (one as HTMLInputElement).select();
      });
      await this.command('POST', '/actions', keysOf(text === '' ? pressed('Backspace') : typed(text)));
    });
  }
  async clear() {
    await this.fill('');
  }
  async press(key: string) {
    await this.focus();
    await this.owner.keyboard.press(key);
  }
  async check() {
    if ((await this.facts())[0]?.checked !== true) await this.click();
  }
  async selectOption(value: string) {
    await this.evaluate((one, wanted) => {
      (one as HTMLSelectElement).value = wanted;
      for (const event of ['input', 'change']) one.dispatchEvent(new Event(event, { bubbles: true }));
    }, value);
  }

  /** Keys go into a frame of another origin only after a press there. */
  private async enterFrame() {
    if (this.frames.length === 0) return;
    await new DrivenLocator(this.owner, this.frames, [{ by: 'css', selector: 'body' }]).click({
      position: { x: 1, y: 1 },
    });
  }

  /**
   * Presses the mouse, as a user does: the driver's own click presses nothing in a frame of another origin.
   * @param at - from the corner of the element; without it, its middle
   */
  private async point(times: number, at?: Place) {
    await this.withOne(async (element) => {
      const place = await this.ask(element, placeToPress, at ?? null);
      // Something else lies there, such as a dialog that is just closing.
      if (place === null) throw new DriverError('element click intercepted', String(this));
      const [left, top] = await this.corner();
      const press = [
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ];
      const move = {
        type: 'pointerMove',
        origin: 'viewport',
        duration: 0,
        x: Math.round(left + place.x),
        y: Math.round(top + place.y),
      };
      await this.command('POST', '/frame', { id: null });
      await this.command('POST', '/actions', {
        actions: [
          {
            type: 'pointer',
            id: 'mouse',
            parameters: { pointerType: 'mouse' },
            actions: [move, ...Array.from({ length: times }, () => press).flat()],
          },
        ],
      });
    });
  }
  /** Enters the frame of the locator, and says where its corner is in the window. */
  private async corner(): Promise<readonly [left: number, top: number]> {
    await this.command('POST', '/frame', { id: null });
    let corner: readonly [number, number] = [0, 0];
    for (const value of this.frames) {
      const frame = await this.command<ElementRef>('POST', '/element', { using: 'css selector', value });
      const { x, y } = await this.ask(frame, boxOf);
      const [border, edge] = await this.ask(frame, (one) => [one.clientLeft, one.clientTop] as const);
      corner = [corner[0] + x + border, corner[1] + y + edge];
      await this.command('POST', '/frame', { id: frame });
    }
    return corner;
  }
  private async command<Value>(...how: Parameters<DrivenPage['session']['command']>): Promise<Value> {
    return await this.owner.session.command<Value>(...how);
  }
  private async ask<Result, Argument>(
    element: ElementRef,
    read: (element: Element, argument: Argument) => Result,
    argument?: Argument,
  ): Promise<Result> {
    return await this.owner.session.run<Result>(read.toString(), element, argument ?? null);
  }

  private async find<Found>(asks: 'elements' | 'facts'): Promise<readonly Found[]> {
    for (const value of this.frames) {
      const frame = await this.command<ElementRef>('POST', '/element', { using: 'css selector', value });
      await this.command('POST', '/frame', { id: frame });
    }
    const first = await this.findHere<Found>(asks);
    if (first) return first;
    await this.owner.session.run(`() => { ${roles} }`);
    // The page may have changed meanwhile.
    return (await this.findHere<Found>(asks)) ?? [];
  }
  /** Finds elements in the present frame. */
  private async findHere<Found>(asks: 'elements' | 'facts') {
    return await this.owner.session.run<readonly Found[] | null>(findInPage.toString(), this.steps, asks);
  }

  private async look<Found>(task: () => Promise<readonly Found[]>): Promise<readonly Found[]> {
    return await this.owner.session.inWindow(this.owner.handle, task).catch((error: unknown) => {
      if (error instanceof DriverError && passing.has(error.code)) return [];
      throw error;
    });
  }

  /** Acts on the only element, once it is there, visible and enabled. */
  private async withOne<Result>(act: (element: ElementRef) => Promise<Result>): Promise<Result> {
    const end = Date.now() + actionTimeout;
    let seen: readonly Facts[] = [];
    for (;;) {
      const acted = await this.look(async () => {
        const facts = await this.find<Facts>('facts');
        seen = facts;
        if (facts.length > 1) throw new Error(`${String(this)} leads to ${String(facts.length)} elements.`);
        if (facts[0]?.visible !== true || !facts[0].enabled) return [];
        const [element] = (await this.findHere<ElementRef>('elements')) ?? [];
        return element === undefined ? [] : [await act(element)];
      });
      if (acted.length > 0) return acted[0] as Result;
      if (Date.now() > end) {
        throw new Error(`${String(this)} was not there to act on. Seen: ${JSON.stringify(seen)}`);
      }
      await pause(betweenLooks);
    }
  }

  override toString() {
    return JSON.stringify([...this.frames, ...this.steps]);
  }
}
