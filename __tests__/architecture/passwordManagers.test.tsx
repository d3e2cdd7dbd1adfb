import { passwordRulesAttribute } from '@features/password/passwordRules';
import { screen, waitFor } from '@testing-library/react';
import { unframedSegments } from '@vestibule/contract/pageHeaders';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, relative } from 'node:path';
import {
  answers,
  methods,
  severalPersonas,
  testConfig,
  tokenPair,
  userAttributes,
} from '../support/builders';
import { fakeDeps, type TabOptions } from '../support/fakeDeps';
import { openApp, settle } from '../support/openApp';
import { renderApp } from '../support/renderApp';
import { put } from '../support/sessionCookies';
import { formScreens, type Field, type Opening } from './formScreens';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => jest.useRealTimers());

const open = async (
  { path, signedIn = false, config = {}, arrange, reach }: Opening,
  options: TabOptions = {},
): Promise<HTMLFormElement> => {
  const deps = fakeDeps({ path, config, ...options });
  const tokens = tokenPair({ personas: severalPersonas, username: 'ada.l' });
  if (signedIn) put(deps, tokens);
  deps.api.auth.methods.mockResolvedValue([methods.basic]);
  deps.api.auth.token.mockResolvedValue(answers.textChallenge());
  deps.api.auth.validatePassword.mockResolvedValue({ authVerificationToken: 'vt-1' });
  deps.api.users.attributes.mockResolvedValue(userAttributes());
  deps.api.mfa.addAuthenticator.mockResolvedValue({ code: 'JBSWY3DPEHPK3PXP', url: 'otpauth://totp/x' });
  arrange?.(deps);
  const app = openApp(deps);
  await settle();
  await reach?.(app);
  await settle();
  await renderApp(app);
  await screen.findByRole('heading', { level: 1 });
  await waitFor(() => expect(document.forms).toHaveLength(1));
  const [form, ...others] = document.forms;
  if (!form || others.length > 0) throw new Error(`${path} has ${String(document.forms.length)} forms`);
  return form;
};

type Control = HTMLInputElement | HTMLSelectElement;

/** What can be filled in, in the order of the page. */
const controls = (): readonly Control[] =>
  screen.getAllByDisplayValue<Control>(/^/).filter(({ type }) => type !== 'checkbox');

const keyboard = ['enterkeyhint', 'inputmode', 'autocapitalize'] as const;

const seen = (control: Control): Field => {
  const asked = keyboard.flatMap((name): readonly (readonly [string, string])[] => {
    const value = control.getAttribute(name);
    return value === null ? [] : [[name, value]];
  });
  return {
    autocomplete: control.getAttribute('autocomplete') ?? '',
    name: control.name,
    type: control.type,
    ...Object.fromEntries(asked),
    ...(control.value !== '' && { value: control.value }),
    ...(control.form === null && { place: 'apart' as const }),
  };
};

describe('browsers and password managers understand', () => {
  it.each(Object.entries(formScreens))('%s', async (_name, { fields, ...opening }) => {
    const form = await open(opening);
    expect(controls().map(seen)).toEqual(
      fields.map(({ value, ...field }) => (value ? { ...field, value } : field)),
    );
    expect(controls().map((control) => control.getAttribute('passwordrules'))).toEqual(
      fields.map(({ autocomplete }) => (autocomplete === 'new-password' ? passwordRulesAttribute : null)),
    );
    // The user can neither reach nor change fields that only password managers use, and cannot change a shown e-mail.
    for (const control of controls()) {
      const hidden = control.getAttribute('aria-hidden') === 'true';
      const fixed = hidden || (control.autocomplete === 'off' && control.form === null);
      expect([control.tabIndex, fixed && control.matches(':read-write')]).toEqual([hidden ? -1 : 0, false]);
    }
    // A truncated generated password is unknown to the user.
    expect(controls().filter((one) => one.type === 'password' && one.hasAttribute('maxlength'))).toEqual([]);
    // A real form: submitted by its button and by Enter, and never into the address.
    expect(form.method).toBe('post');
    expect(
      [...form.elements].filter((one) => one instanceof HTMLButtonElement && one.type === 'submit'),
    ).toHaveLength(1);
  });

  it('a forgotten password as a request for an e-mail, not as a sign-in, whatever the product is called', async () => {
    const brands = {
      ...testConfig().brands,
      default: { label: 'Payments Sign-On', look: 'default' },
    } as const;
    const form = await open({ path: '/forgot-password' }, { config: { brands } });
    expect(document.title).toBe('Request a reset link – Payments Sign-On');
    expect(screen.getByRole('button', { name: /^Request/ })).toHaveProperty('form', form);
    expect(form.textContent).not.toMatch(/sign.?[io]n|log.?[io]n|password/i);
  });

  it('every screen with a form', () => {
    const root = 'src/features/';
    const textOf = (file: string) => readFileSync(root + file, 'utf8');
    const all = [root, 'src/shared/ui/']
      .flatMap((folder) =>
        readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) =>
          relative(root, folder + file),
        ),
      )
      .filter((file) => file.endsWith('.tsx'));
    // A form that features share is on a screen as long as one of them imports it.
    const shown = (file: string) =>
      !file.startsWith('..') ||
      all.some((other) => !other.startsWith('..') && textOf(other).includes(`/${basename(file, '.tsx')}'`));
    const files = all.filter((file) => textOf(file).includes('<form') && shown(file)).sort();
    expect([...new Set(Object.values(formScreens).map(({ file }) => file))].sort()).toEqual(files);
  });
});

const framable = Object.entries(formScreens).filter(
  ([, { path }]) => !unframedSegments.has(path.split('/')[1] ?? ''),
);
it.each(framable)('%s does not take the focus of a parent', async (_name, opening) => {
  await open(opening, { embedding: 'trusted' });
  expect(document.body).toHaveFocus();
});
