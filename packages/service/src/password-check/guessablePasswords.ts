import type { PasswordOwner } from '../core/context.ts';
import type { PasswordCheckSettings } from './settings.ts';

/** How many other code points a password with context words needs. */
const fewestOthers = 6;
/** The shortest words and names that count, in code points. Shorter words occur in too many good passwords; names are often short. */
const [shortestWord, shortestName] = [4, 3];

/** Digits and signs that stand for letters, letters that look like one another, and letters that NFKD does not decompose. */
const alike: Readonly<Record<string, string>> = {
  ...{ '0': 'o', '1': 'i', '2': 'z', '3': 'e', '4': 'a', '5': 's', '6': 'g', '7': 't', '8': 'b', '9': 'g' },
  ...{ '@': 'a', $: 's', '!': 'i', '|': 'i', l: 'i' },
  ...{ ø: 'o', ł: 'i', đ: 'd', æ: 'ae', œ: 'oe' },
};

/** Labels, host names, and words that the deployment names. */
export function wordsOfDeployment({
  productName,
  passwordWords,
  issuer,
  allowedOrigins,
  links,
}: Pick<
  PasswordCheckSettings,
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
}: Omit<PasswordOwner, 'uid'>): readonly string[] {
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
 * matter. Every occurrence of a word counts.
 *
 * @param words as `wordsOfDeployment` and `wordsOfPerson` return them.
 */
export function isGuessable(password: string, words: readonly string[]): boolean {
  const plain = folded(password);
  // The gap prevents the text before and after a word from forming another word.
  const gap = '\n';
  const rest = [...words]
    .sort((one, other) => other.length - one.length)
    .reduce((left, word) => left.replaceAll(word, gap), plain);
  return rest !== plain && lengthOf(rest.replaceAll(gap, '')) < fewestOthers;
}

/** The words of a text, and the text without separators: 'e-Pay Hub' also gives 'epayhub'. */
function wordsIn(text: string, shortest: number): readonly string[] {
  const parts = text.split(/[^\p{L}\p{M}\p{N}]+/u);
  return [...parts, parts.join('')].map(folded).filter((word) => lengthOf(word) >= shortest);
}

function folded(text: string): string {
  const plain = text.normalize('NFKD').toUpperCase().toLowerCase().replace(/\p{M}/gu, '');
  return Array.from(plain, (character) => alike[character] ?? character).join('');
}

const lengthOf = (text: string): number => Array.from(text).length;
