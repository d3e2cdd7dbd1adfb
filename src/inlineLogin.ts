/*
 * For the inline scripts of the page. It shows the username step before any file has
 * loaded, keeps an early press of Next for `start.tsx`, and shows a notice if the files do not load
 * (docs/behaviour.md#before-the-code).
 */
import {
  backgroundFor,
  brandFor,
  brandKey,
  documentTitle,
  readBrandQuery,
  type Appearance,
} from '@shared/brand/brand';
import { isFilled } from '@shared/ui/fields/isFilled';
import type { AppConfig } from '@vestibule/contract/appConfig';
import { ofScheme } from '@vestibule/contract/background';
import { cookie, linkTo, readConfiguration } from './inlinePage';

/** The page shows the late notice when the code has not arrived after this time, ms. */
const lateAfterMs = 20_000;

const root = document.getElementById('root');
const form = root?.querySelector('form');
const field = form?.querySelector<HTMLInputElement>('[name=username]');
const box = form?.querySelector<HTMLInputElement>('[name=rememberMe]');
const next = form?.querySelector('button');

/** Whether the application will show the username step: `/login` without a session, a parent or a short link. */
function isFirstStep({ cookies, shortLinkHosts }: AppConfig): boolean {
  return (
    location.pathname.replace(/\/+$/, '') === '/login' &&
    window.parent === window &&
    !holds(shortLinkHosts) &&
    cookie(`${cookies.prefix}-session`) === undefined
  );
}

const holds = (hosts: readonly string[]): boolean =>
  hosts.some((host) => host.toLowerCase() === location.host);

/** The look that this tab has stored; empty without one. */
function keptLook({ cookies }: AppConfig): string {
  try {
    return sessionStorage.getItem(`${cookies.prefix}-${brandKey}`) ?? '';
  } catch {
    return '';
  }
}

function brandOf(config: AppConfig): Appearance {
  const facts = { supplierHub: false, application: null, supplierHost: holds(config.supplierHosts) };
  const query = { ...readBrandQuery(keptLook(config)), ...readBrandQuery(location.search) };
  return brandFor({ ...facts, ...query }, config.brands);
}

/** Sets the colour of the bars of the browser. The application does not change it: another brand needs another page load. */
function colourBars(brand: Appearance, { brands }: AppConfig): void {
  const colour = backgroundFor(brand, brands);
  for (const meta of document.querySelectorAll<HTMLMetaElement>('[name=theme-color]'))
    meta.content = ofScheme(colour, meta.media.includes('dark') ? 'dark' : 'light');
}

function applyBrand(brand: Appearance, frame: HTMLElement): void {
  frame.dataset['look'] = brand.look;
  if (brand.theme) frame.dataset['theme'] = brand.theme;
  const label = frame.querySelector('header span')?.lastChild;
  if (label) label.textContent = brand.label;
  document.title = documentTitle(brand, document.title);
}

/** The username and 'Remember Me' that a page stored before it reloaded itself. The application removes them. */
function kept({ cookies }: AppConfig): { rememberedUsername: string; rememberMe: boolean } | null {
  try {
    return JSON.parse(sessionStorage.getItem(`${cookies.prefix}-entry`) ?? 'null') as ReturnType<typeof kept>;
  } catch {
    return null;
  }
}

function open(config: AppConfig, brand: Appearance): void {
  if (!root || !form || !field || !box || !next) return;
  applyBrand(brand, root.firstElementChild as HTMLElement);
  const remembered = cookie(`${config.cookies.prefix}-username`) ?? '';
  const entry = kept(config);
  // After a reload the browser may have filled in the form already.
  if (entry !== null || (remembered !== '' && field.value === '')) {
    field.value = entry?.rememberedUsername ?? remembered;
    box.checked = entry?.rememberMe ?? true;
  }
  form.dataset['inlineLogin'] = 'open';
  // Hydration does not correct attributes, so this one must already have its final value.
  const update = (): void => {
    if ('inlineLogin' in form.dataset)
      next.disabled = form.dataset['inlineLogin'] === 'pressed' || !isFilled(field);
  };
  for (const event of ['input', 'change', 'keydown', 'animationstart', 'pointerdown', 'focusin'])
    form.addEventListener(event, update);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (form.dataset['inlineLogin'] !== 'open' || !isFilled(field)) return;
    form.dataset['inlineLogin'] = 'pressed';
    field.readOnly = true;
    next.setAttribute('aria-busy', 'true');
    update();
  });
  // The first input opens the connection to the service. Browsers would close one that was opened earlier.
  field.addEventListener('input', () => document.head.append(linkTo('preconnect', config.serviceUrl)), {
    once: true,
  });
  root.hidden = false;
  update();
  // This runs in the first frame, because it forces layout, which would lengthen the task of this script.
  requestAnimationFrame(() => {
    field.focus();
    field.setSelectionRange(field.value.length, field.value.length);
  });
}

/** Shows the late notice, which the code removes when it has loaded. A kept press is released. */
function sayItIsLate(): void {
  const notice = document.getElementById('late');
  if (!notice) return;
  notice.hidden = false;
  if (form?.dataset['inlineLogin'] !== 'pressed' || !field || !next) return;
  form.dataset['inlineLogin'] = 'open';
  field.readOnly = false;
  next.removeAttribute('aria-busy');
  next.disabled = false;
}

/** @param showLanguage where the configuration offers languages; called before the step is shown */
export function showFirstStep(showLanguage?: (config: AppConfig) => void): void {
  try {
    const config = readConfiguration();
    try {
      showLanguage?.(config);
    } catch {
      // A cookie that cannot be read leaves the step in English.
    }
    const brand = brandOf(config);
    colourBars(brand, config);
    if (isFirstStep(config)) open(config, brand);
  } catch {
    // A faulty configuration is reported by the application when it starts.
  }
  setTimeout(sayItIsLate, lateAfterMs);
  addEventListener('error', ({ target }) => target instanceof HTMLScriptElement && sayItIsLate(), true);
}
