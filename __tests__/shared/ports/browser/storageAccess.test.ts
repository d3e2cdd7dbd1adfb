/** @jest-environment node */
import { createStorageAccess } from '@shared/ports/browser/storageAccess';

interface Browser {
  readonly hasStorageAccess?: () => Promise<boolean>;
  readonly requestStorageAccess?: () => Promise<void>;
  readonly allowsFeature?: (feature: string) => boolean;
  readonly permission?: string;
  readonly isSecureContext?: boolean;
}

function accessIn({
  hasStorageAccess,
  requestStorageAccess,
  allowsFeature,
  permission,
  isSecureContext = true,
}: Browser) {
  const query = ({ name }: { readonly name: string }) =>
    permission !== undefined && name === 'storage-access'
      ? Promise.resolve({ state: permission })
      : Promise.reject(new TypeError('no such permission'));
  return createStorageAccess({
    document: {
      ...(hasStorageAccess && { hasStorageAccess }),
      ...(requestStorageAccess && { requestStorageAccess }),
      ...(allowsFeature && { featurePolicy: { allowsFeature } }),
    },
    navigator: { permissions: { query } },
    isSecureContext,
  } as unknown as Window);
}

const agree = () => Promise.resolve();

it.each([
  ['a browser without the question', {}, 'unsupported'],
  ['a page without a secure context', { requestStorageAccess: agree, isSecureContext: false }, 'unsupported'],
  [
    'a parent that denies it',
    {
      requestStorageAccess: agree,
      allowsFeature: (feature: string) => feature !== 'storage-access',
      permission: 'granted',
    },
    'forbidden',
  ],
  ['a user who has agreed before', { requestStorageAccess: agree, permission: 'granted' }, 'granted'],
  ['a user who has not been asked', { requestStorageAccess: agree, permission: 'prompt' }, 'askable'],
  [
    'a browser that tells no permissions',
    { requestStorageAccess: agree, allowsFeature: () => true },
    'askable',
  ],
] as const)('%s is told from the others', async (_name, browser: Browser, outlook) => {
  await expect(accessIn(browser).outlook()).resolves.toBe(outlook);
});

it('a request tells whether the browser agreed', async () => {
  await expect(accessIn({ requestStorageAccess: agree }).request()).resolves.toBe(true);
  const refuse = () => Promise.reject(new DOMException('no', 'NotAllowedError'));
  await expect(accessIn({ requestStorageAccess: refuse }).request()).resolves.toBe(false);
});

const says = (answer: boolean) => () => Promise.resolve(answer);

it.each([
  ['says yes', { hasStorageAccess: says(true) }, true],
  ['says no', { hasStorageAccess: says(false) }, false],
  ['has no such question', {}, true],
  ['gives no answer', { hasStorageAccess: () => Promise.reject(new Error('no')) }, true],
  [
    'says no to every page without a secure context',
    { hasStorageAccess: says(false), isSecureContext: false },
    true,
  ],
] as const)(
  'of a browser that %s, a frame knows whether it shares the cookies',
  async (_name, browser: Browser, isShared) => {
    await expect(accessIn(browser).isShared()).resolves.toBe(isShared);
  },
);
