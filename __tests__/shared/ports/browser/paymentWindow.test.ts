/** @jest-environment node */
import { createPasskeys } from '@shared/ports/browser/passkeys';
import { passkeys } from '../../../support/builders';

const { publicKey } = passkeys.options;
const payment = {
  application: { name: 'Ledger' },
  amount: { value: '149.90', currency: 'EUR' },
  payee: { name: 'Northwind GmbH' },
};
const request = (signal = new AbortController().signal) => ({ publicKey, payment, signal });
const thrown = (name: string) => Promise.reject(new DOMException('', name));

interface Behaviour {
  readonly availability?: () => Promise<string>;
  /** What the user does in the window. */
  readonly show?: () => Promise<unknown>;
  readonly icon?: string | null;
}

/** A browser with Secure Payment Confirmation, what it was asked to show, and how often it was told to close it. */
function browserWith({
  availability = () => Promise.resolve('available'),
  show = () => thrown('AbortError'),
  icon = 'https://login.example.com/icon.svg',
}: Behaviour = {}) {
  const shown: unknown[] = [];
  const abort = jest.fn(() => thrown('InvalidStateError'));
  class PaymentRequest {
    static readonly securePaymentConfirmationAvailability = availability;
    static readonly getSecurePaymentConfirmationCapabilities = () => Promise.resolve({});
    readonly abort = abort;
    readonly show = show;
    constructor(...given: unknown[]) {
      shown.push(given);
    }
  }
  const browser = {
    PaymentRequest,
    PublicKeyCredential: { parseRequestOptionsFromJSON: (json: unknown) => json },
    navigator: {},
    document: { querySelector: () => icon && { href: icon } },
    location: { href: 'https://login.example.com/confirm/c-1' },
  } as unknown as Window;
  return { browser, shown, abort };
}

it.each([
  ['of the page', undefined, 'https://login.example.com/icon.svg'],
  ['of no page', null, 'https://login.example.com/confirm/c-1'],
])(
  'shows amount, payee and application, with the icon %s, and gives the credential',
  async (_what, icon, drawn) => {
    const complete = jest.fn(() => thrown('AbortError'));
    const { browser, shown } = browserWith({
      show: () => Promise.resolve({ details: { toJSON: () => passkeys.assertion }, complete }),
      ...(icon === null && { icon }),
    });
    await expect(createPasskeys(browser).signPayment(request())).resolves.toEqual({
      kind: 'given',
      credential: passkeys.assertion,
    });
    expect(complete).toHaveBeenCalledWith('success');
    expect(shown).toMatchObject([
      [
        [
          {
            supportedMethods: 'secure-payment-confirmation',
            data: {
              ...{ challenge: publicKey.challenge, rpId: publicKey.rpId },
              payeeName: 'Northwind GmbH',
              instrument: { displayName: 'Ledger', icon: drawn, iconMustBeShown: false },
            },
          },
        ],
        { total: { label: 'Northwind GmbH', amount: payment.amount } },
      ],
    ]);
  },
);

it.each([
  ['AbortError', 'cancelled'],
  ['NotAllowedError', 'refused'],
  ['SecurityError', 'failed'],
])('a window that ends with %s is %s', async (name, kind) => {
  const { browser } = browserWith({ show: () => thrown(name) });
  await expect(createPasskeys(browser).signPayment(request())).resolves.toEqual({ kind });
});

it.each<[string, Window]>([
  ['has none', { navigator: {} } as Window],
  [
    'cannot tell how it ended',
    {
      navigator: {},
      PaymentRequest: { securePaymentConfirmationAvailability: () => Promise.resolve('available') },
    } as unknown as Window,
  ],
  [
    'refuses it to this page',
    browserWith({ availability: () => Promise.resolve('unavailable-no-permission-policy') }).browser,
  ],
  ['does not say', browserWith({ availability: () => thrown('SecurityError') }).browser],
])('fails without a window where the browser %s', async (_what, browser) => {
  await expect(createPasskeys(browser).signPayment(request())).resolves.toEqual({ kind: 'failed' });
});

it('is closed when its screen is left, and not opened afterwards', async () => {
  const leaving = new AbortController();
  let close: () => void = () => undefined;
  const { browser, shown, abort } = browserWith({
    show: () => new Promise((_resolve, reject) => (close = () => reject(new DOMException('', 'AbortError')))),
  });
  const asked = createPasskeys(browser).signPayment(request(leaving.signal));
  setTimeout(() => {
    leaving.abort();
    close();
  });
  await expect(asked).resolves.toEqual({ kind: 'cancelled' });
  expect(abort).toHaveBeenCalledTimes(1);
  await expect(createPasskeys(browser).signPayment(request(leaving.signal))).resolves.toEqual({
    kind: 'cancelled',
  });
  expect(shown).toHaveLength(1);
});

describe('a new passkey', () => {
  const options = passkeys.creationOptions.publicKey;
  const given = { toJSON: () => passkeys.made };
  const plain = { publicKey: options };
  const forPayments = {
    publicKey: {
      ...options,
      authenticatorSelection: { ...options.authenticatorSelection, authenticatorAttachment: 'platform' },
      extensions: { payment: { isPayment: true } },
    },
  };

  const saying = (availability: () => Promise<string>) => ({
    PaymentRequest: { securePaymentConfirmationAvailability: availability },
  });

  /** A browser that responds to requests for a new passkey with these, in order, and the requests. */
  function browserThatMakes(answers: readonly (() => Promise<unknown>)[], changes: object = {}) {
    const asked: object[] = [];
    const create = ({ signal, ...request }: CredentialCreationOptions) => {
      asked.push(request);
      return signal?.aborted ? thrown('AbortError') : (answers[asked.length - 1]?.() ?? thrown('Error'));
    };
    const browser = {
      ...saying(() => Promise.resolve('available')),
      PublicKeyCredential: { parseCreationOptionsFromJSON: (json: unknown) => json },
      navigator: { credentials: { create } },
    };
    Object.assign(browser, { parent: browser }, changes);
    return { browser: browser as unknown as Window, asked };
  }
  const gives = () => Promise.resolve(given);
  const make = (browser: Window, signal = new AbortController().signal, isForPayments = true) =>
    createPasskeys(browser).create({
      ...{ publicKey: options, conditional: false, forPayments: isForPayments, signal },
    });
  const made = { kind: 'given', credential: passkeys.made };

  it('for payments is one that their window finds', async () => {
    const { browser, asked } = browserThatMakes([gives]);
    await expect(make(browser)).resolves.toEqual(made);
    expect(asked).toEqual([forPayments]);
  });

  it.each([
    ['refuses such a one', 'NotSupportedError'],
    ['has such a one already', 'InvalidStateError'],
    ['was told to use another device', 'NotAllowedError'],
  ])('is one of any kind where the browser %s', async (_what, name) => {
    const { browser, asked } = browserThatMakes([() => thrown(name), gives]);
    await expect(make(browser)).resolves.toEqual(made);
    expect(asked).toEqual([forPayments, plain]);
  });

  it.each<[string, object, boolean]>([
    ['where payments are not confirmed', {}, false],
    ['in a frame', { parent: {} }, true],
    ['without that window', { PaymentRequest: undefined }, true],
    [
      'without a sensor of this device',
      saying(() => Promise.resolve('unavailable-no-user-verifying-platform-authenticator')),
      true,
    ],
    ['in a browser that does not say', saying(() => thrown('SecurityError')), true],
  ])('is one of any kind at once %s', async (_where, changes, isForPayments) => {
    const { browser, asked } = browserThatMakes([gives], changes);
    await expect(make(browser, undefined, isForPayments)).resolves.toEqual(made);
    expect(asked).toEqual([plain]);
  });

  it('is not asked for any more when its screen is left', async () => {
    const leaving = new AbortController();
    const { browser, asked } = browserThatMakes([
      () => {
        leaving.abort();
        return thrown('AbortError');
      },
      gives,
    ]);
    await expect(make(browser, leaving.signal)).resolves.toEqual({ kind: 'cancelled' });
    expect(asked).toEqual([forPayments, plain]);
  });
});
