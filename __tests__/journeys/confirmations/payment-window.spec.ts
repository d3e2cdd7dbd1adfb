import { Authenticator } from '../support/authenticator';
import { engine } from '../support/engine';
import { frameOf } from '../support/framed';
import { offers } from '../support/runEnvironment';
import { TwoStepSetup } from '../pages/TwoStepSetup';
import { expect, test } from '../support/test';
import { userBrowser } from '../support/userBrowser';
import { users } from '../support/users';
import type { FrameLocator, Page } from '@playwright/test';

test.skip(engine !== 'chromium', 'Only Chromium has such a window.');
test.skip(!offers('confirmations') || !offers('passkeys'), 'They are extensions.');

// What waits is in `waiting.spec.ts`.
test.use({ serviceSettings: { confirmationEnrolmentHours: 0 } });

/** Chromium has the window on Linux for developers only. */
const features = [
  '--enable-features=SecurePaymentConfirmationBrowser',
  '--enable-blink-features=SecurePaymentConfirmation',
];
test.use({
  launchOptions: { ...userBrowser(), args: [...(userBrowser().args ?? []), ...features] },
});

/** A browser that makes no passkeys for its window: those of another device, or made before, are not found there either. */
const refusesKeys = (page: Page) =>
  page.addInitScript(() => {
    const { credentials } = navigator;
    const create = credentials.create.bind(credentials);
    credentials.create = (options) =>
      options?.publicKey?.extensions && 'payment' in options.publicKey.extensions
        ? Promise.reject(new DOMException('', 'NotSupportedError'))
        : create(options);
  });

/** How each window ended: the name of its error, or 'signed'. */
async function watchWindows(page: Page): Promise<readonly string[]> {
  const ends: string[] = [];
  await page.exposeFunction('windowEnded', (end: string) => ends.push(end));
  await page.addInitScript(() => {
    const { windowEnded } = window as unknown as { windowEnded: (end: string) => void };
    const { prototype } = PaymentRequest;
    const show = Object.getOwnPropertyDescriptor(prototype, 'show')?.value as typeof prototype.show;
    prototype.show = async function (this: PaymentRequest) {
      const shown = show.call(this);
      shown.then(
        () => windowEnded('signed'),
        (error: unknown) => windowEnded((error as Error).name),
      );
      return await shown;
    };
  });
  return ends;
}

/** The types of client data that the page sends to confirm payments. */
function watchTypes(page: Page): readonly string[] {
  const types: string[] = [];
  page.on('request', (request) => {
    if (!/\/confirmations\/[^/]+\/passkey$/.test(request.url())) return;
    const { credential } = request.postDataJSON() as {
      credential: { response: { clientDataJSON: string } };
    };
    const data = Buffer.from(credential.response.clientDataJSON, 'base64url').toString();
    types.push((JSON.parse(data) as { type: string }).type);
  });
  return types;
}

const button = (page: Page | FrameLocator, name: string) => page.getByRole('button', { name, exact: true });

/** Opens the screen of a payment of the ledger, and confirms it with a new passkey that signs in windows in this mode. */
async function confirm(
  page: Page,
  ledger: string,
  mode: 'autoAccept' | 'autoReject',
  pay: 'Pay' | 'Pay here' = 'Pay',
): Promise<Page | FrameLocator> {
  const authenticator = await Authenticator.of(page);
  await authenticator.touch();
  await button(page, 'Add a Passkey').click();
  await new TwoStepSetup(page).verify();
  const passkeys = page.getByRole('region', { name: 'Passkeys', exact: true });
  await expect(passkeys.getByRole('listitem')).toHaveCount(1);
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Page.setSPCTransactionMode', { mode });
  return await confirmAgain(page, ledger, pay);
}

async function confirmAgain(
  page: Page,
  ledger: string,
  pay: 'Pay' | 'Pay here',
): Promise<Page | FrameLocator> {
  await page.goto(ledger);
  await button(page, pay).click();
  const screen = pay === 'Pay here' ? frameOf(page) : page;
  await button(screen, 'Confirm with a Passkey').click();
  return screen;
}

const carriedOut = (page: Page) => page.getByText('The payment was carried out.');

for (const [where, pay] of [
  ['on the page', 'Pay'],
  ['in a frame of the ledger', 'Pay here'],
] as const)
  test(`A payment is confirmed in the browser's own window ${where}`, async ({
    page,
    environment,
    atSettings,
  }) => {
    const [ends, types] = [await watchWindows(page), watchTypes(page)];
    await atSettings(users.several);
    await confirm(page, `${environment.origin('ledger')}/`, 'autoAccept', pay);
    await expect(carriedOut(page)).toBeVisible();
    expect([ends, types]).toEqual([['signed'], ['payment.get']]);
  });

test("A payment whose browser's own window is cancelled stays open", async ({
  page,
  environment,
  atSettings,
}) => {
  const [ends, types] = [await watchWindows(page), watchTypes(page)];
  await atSettings(users.several);
  const screen = await confirm(page, `${environment.origin('ledger')}/`, 'autoReject');
  await expect.poll(() => ends).toEqual(['AbortError']);
  await expect(button(screen, 'Decline')).toBeEnabled();
  expect(types).toEqual([]);
});

test('Payments are confirmed by a passkey that the window of the browser cannot use, and after two of them without that window', async ({
  page,
  environment,
  atSettings,
}) => {
  const [ends, types] = [await watchWindows(page), watchTypes(page)];
  await refusesKeys(page);
  await atSettings(users.several);
  const ledger = `${environment.origin('ledger')}/`;
  await confirm(page, ledger, 'autoAccept');
  await expect(carriedOut(page)).toBeVisible();
  for (let payments = 1; payments < 3; payments += 1) {
    await confirmAgain(page, ledger, 'Pay');
    await expect(carriedOut(page)).toBeVisible();
  }
  expect([ends, types]).toEqual([
    ['NotAllowedError', 'NotAllowedError'],
    ['webauthn.get', 'webauthn.get', 'webauthn.get'],
  ]);
});
