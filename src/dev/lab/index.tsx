import type { AppConfig } from '@vestibule/contract/appConfig';
import { createFocusHold } from '@dev/devtools/timeTravelPage';
import type { Root } from 'react-dom/client';
import { freeze, type View } from './freeze';
import { labMessages } from './lab.messages';
import { Laboratory } from './Laboratory';
import { Replay } from './Replay';
import { scenarios, stateOf, type Look } from './scenarios';
import { withTheme } from './theme';

/** What tests and the console can call in a page with `?scenario=`. */
export interface LaboratoryPage {
  readonly names: readonly string[];
  /** Draws another scenario without loading the page again. */
  readonly show: (name: string, look?: Look & View) => void;
}

/** The scenario name by which `/#replay` opens the page in its frame. */
const replayed = 'recording';

/** Tells the parent page that this frame accepts states. */
const readyEvent = 'laboratoryReady';

/** Opens the page of the laboratory that the address names, instead of the application (docs/development.md). */
export function openLaboratory(root: Root, config: AppConfig, browser: Window): void {
  const query = new URLSearchParams(browser.location.search);
  const name = query.get('scenario');
  browser.document.title = labMessages.title;
  if (name === null && browser.location.hash === '#replay') {
    browser.document.title = labMessages.replay.title;
    root.render(<Replay browser={browser} address={`/?scenario=${replayed}`} readyEvent={readyEvent} />);
    return;
  }
  const list = (missing?: string): void => {
    root.render(<Laboratory names={Object.keys(scenarios)} missing={missing} config={config} />);
  };
  if (name === null) {
    list();
    return;
  }
  // A frame that takes the focus moves the page around it.
  if (browser.parent !== browser) createFocusHold(browser as Window & typeof globalThis)(true);
  const theme = query.get('theme');
  const themed = theme === null ? null : withTheme(config, theme);
  const adopted: CSSStyleSheet[] = [];
  if (themed?.ok === true) {
    const sheet = new (browser as Window & typeof globalThis).CSSStyleSheet();
    sheet.replaceSync(themed.style);
    adopted.push(sheet);
    browser.document.adoptedStyleSheets = adopted;
  }
  const frozen = freeze(root, themed?.ok === true ? themed.config : config, browser.document, adopted);
  if (name === replayed) {
    Object.assign(browser, { move: frozen.move });
    browser.parent.dispatchEvent(new Event(readyEvent));
    return;
  }
  const show: LaboratoryPage['show'] = (which, look = {}) => {
    const state = stateOf(which, look);
    if (state) frozen.draw(state, look);
    else list(which);
  };
  show(name, Object.fromEntries(query));
  Object.assign(browser, { laboratory: { names: Object.keys(scenarios), show } satisfies LaboratoryPage });
}
