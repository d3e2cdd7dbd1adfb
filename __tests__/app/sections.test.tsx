import { extensions } from '@app/features';
import { screen } from '@testing-library/react';
import { answerFeatures } from '../support/answerFeatures';
import { severalPersonas, tokenPair, userAttributes } from '../support/builders';
import { fakeDeps } from '../support/fakeDeps';
import { openApp, settle } from '../support/openApp';
import { renderApp } from '../support/renderApp';
import { put } from '../support/sessionCookies';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

const withSection = extensions.filter(({ Section }) => Section).map(({ name }) => name);

async function sectionsWith(...extensions: readonly string[]) {
  const deps = fakeDeps({ path: '/account-settings', config: { extensions } });
  put(deps, tokenPair({ personas: severalPersonas }));
  answerFeatures(deps.api);
  deps.api.users.attributes.mockResolvedValue(userAttributes());
  const app = openApp(deps);
  await settle();
  await renderApp(app);
  return screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
}

const base = ['2-Step Verification', 'Password'];

// The first test: a chunk stays loaded.
it('the code of an extension that is not in use is not loaded', async () => {
  expect(await sectionsWith()).toEqual(base);
  expect(extensions.filter(({ late }) => late?.loaded())).toEqual([]);
});

let inOrder: readonly string[] | undefined;
it.each([{ names: withSection }, { names: withSection.toReversed() }])(
  'the sections of extensions stand after the others, in the order of the list, not of the configuration: $names',
  async ({ names }) => {
    const titles = await sectionsWith(...names);
    expect(titles).toEqual([...base, ...Array<unknown>(names.length).fill(expect.any(String))]);
    expect(titles).toEqual((inOrder ??= titles));
  },
);
