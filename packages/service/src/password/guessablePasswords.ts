import type { UserRow } from '../database/tables.ts';
import type { ServiceSettings } from '../settings/options.ts';

/** What a password made of a context word needs besides it, code points. */
const fewestOthers = 6;
/** Shorter words are in too many passwords that cannot be guessed. Names are short. Code points. */
const [shortestWord, shortestName] = [4, 3];

/** Digits and signs that stand for letters, letters that look like one another, and letters that NFKD does not decompose. */
const alike: Readonly<Record<string, string>> = {
  ...{ '0': 'o', '1': 'i', '2': 'z', '3': 'e', '4': 'a', '5': 's', '6': 'g', '7': 't', '8': 'b', '9': 'g' },
  ...{ '@': 'a', $: 's', '!': 'i', '|': 'i', l: 'i' },
  ...{ ø: 'o', ł: 'i', đ: 'd', æ: 'ae', œ: 'oe' },
};

/** The part of an account of which a password must not be made. */
export type Person = Pick<UserRow, 'username' | 'email' | 'first_name' | 'last_name'>;

/** Labels, host names, and words that the deployment names. */
export function wordsOfDeployment({
  productName,
  passwordWords,
  issuer,
  allowedOrigins,
  links,
}: Pick<
  ServiceSettings,
  'productName' | 'passwordWords' | 'issuer' | 'allowedOrigins' | 'links'
>): readonly string[] {
  const addresses = [issuer, ...allowedOrigins, links.signOnUrl, links.shortLinkUrl];
  const hosts = addresses.map((address) => new URL(address).hostname);
  return [productName, ...passwordWords, ...hosts].flatMap((text) => wordsIn(text, shortestWord));
}

export function wordsOfPerson({
  username,
  email,
  first_name,
  last_name,
}: Partial<Person>): readonly string[] {
  const [name = '', host = ''] = (username ?? '').split('@');
  const [localPart = ''] = (email ?? '').split('@');
  const names = [
    name,
    localPart,
    first_name ?? '',
    last_name ?? '',
    `${first_name ?? ''} ${last_name ?? ''}`,
  ];
  return [...names.flatMap((text) => wordsIn(text, shortestName)), ...wordsIn(host, shortestWord)];
}

/**
 * Whether a password consists of the words and fewer than six other characters. Case, accents and stand-ins for letters do not
 * matter, and a word counts as often as it occurs.
 *
 * @param words as `wordsOfDeployment` and `wordsOfPerson` return them.
 */
export function isGuessable(password: string, words: readonly string[]): boolean {
  const plain = folded(password);
  // The gap keeps what is around a word from forming another one.
  const gap = '\n';
  const rest = [...words]
    .sort((one, other) => other.length - one.length)
    .reduce((left, word) => left.replaceAll(word, gap), plain);
  return rest !== plain && lengthOf(rest.replaceAll(gap, '')) < fewestOthers;
}

/** The words of a text, and all of them as one: 'e-Pay Hub' also is 'epayhub'. */
function wordsIn(text: string, shortest: number): readonly string[] {
  const parts = text.split(/[^\p{L}\p{M}\p{N}]+/u);
  return [...parts, parts.join('')].map(folded).filter((word) => lengthOf(word) >= shortest);
}

function folded(text: string): string {
  const plain = text.normalize('NFKD').toUpperCase().toLowerCase().replace(/\p{M}/gu, '');
  return Array.from(plain, (character) => alike[character] ?? character).join('');
}

const lengthOf = (text: string): number => Array.from(text).length;
