import { digestOf } from '../core/limits/attemptKeys.ts';
import { countTextMessage } from '../core/limits/messageCounts.ts';
import type { PaymentContext } from './settings.ts';
import type { Text } from '../platform/texts/texts.ts';
import { confirmationTexts } from './confirmations.messages.ts';
import type { Details } from './details.ts';

/** The most text messages for a user within an hour, and the least number of users who share `paymentTextsPerHour`. */
const [mostOfUser, leastUsers] = [20, 10];
/** The most characters and UTF-16 units of a payee, with which the longest text takes two messages in every language. */
const [mostCharacters, mostUnits] = [40, 48];
const windowSeconds = 3600;
/** Stands for what is left out. The character U+2026 would double the messages, because it needs UCS-2. */
const leftOut = '...';

/**
 * Counts a text message for payments. Its limits are separate, so that payments never block a sign-in.
 *
 * @throws ServiceError 429 `rate_limited` if a limit is reached.
 */
export async function countPaymentText(context: PaymentContext, uid: string): Promise<void> {
  const all = context.settings.paymentTextsPerHour;
  const most = Math.min(mostOfUser, Math.ceil(all / leastUsers));
  await countTextMessage(context, [[digestOf(`payment texts:${uid}`), { most, windowSeconds }]], {
    subject: digestOf('all payment texts'),
    ...{ variable: 'PAYMENT_TEXTS_PER_HOUR', most: all, windowSeconds },
  });
}

/** The text message with a code. Amount and payee stand before the code. */
export async function paymentText(
  { amount, payee }: Pick<Details, 'amount' | 'payee'>,
  code: string,
): Promise<Text> {
  const name = shortened(await harmless(payee.name));
  // No punctuation, because four characters can be an address, such as t.co.
  const account = Array.from((payee.account ?? '').normalize('NFKC').replace(/[^\p{L}\p{N}]/gu, ''));
  const end = account.length === 0 ? '' : ` (${leftOut}${account.slice(-4).join('')})`;
  return confirmationTexts.code(amount, name + end, code);
}

/**
 * The name of a payee for messages, without what could pass for a part of the message: addresses, six digits in a row, also with other
 * characters between them, what follows a colon, and the warning about the code. The page shows the whole name.
 */
export async function harmless(name: string): Promise<string> {
  const warning = await warningOfLanguages();
  const plain = name
    // Digits, colons and full stops of other widths become the usual ones.
    .normalize('NFKC')
    .replace(/\p{Z}+/gu, ' ')
    .replace(/\.{2,}/g, ' ')
    .replace(warning, `${leftOut} `)
    .replace(/\p{N}(?:[^\p{L}\p{N}]*\p{N}){5,}\p{M}*/gu, `${leftOut} `)
    .replace(/\s*[:\u02d0\u05c3\u0589\u2236\ua789].*$/u, leftOut)
    .replace(/[@\p{Sc}]/gu, ' ')
    .replace(/[.\u3002](?=\p{N}|[\p{L}\p{M}\p{Cf}]{2})|,(?=\p{N})/gu, ' ')
    .replace(/ +/g, ' ')
    .trim();
  return plain === '' ? leftOut : plain;
}

let warnings: RegExp | undefined;

/** Finds the sentence after the code, such as 'Do not share it', in any language. */
async function warningOfLanguages(): Promise<RegExp> {
  // Loaded when it is first needed: it reads the catalogues of all languages.
  const { translatedLanguages, worded } = await import('../platform/texts/texts.ts');
  const gap = '\n';
  return (warnings ??= new RegExp(
    ['en', ...translatedLanguages]
      .map(
        (language) =>
          worded(confirmationTexts.code(gap, gap, gap), language)
            .split(gap)
            .at(-1) ?? '',
      )
      .map((end) => end.match(/\p{L}+/gu)?.join('[^\\p{L}]*') ?? '(?!)')
      .map((words) => `[^\\p{L}\\p{N}]*${words}[^\\p{L}\\p{N}]*`)
      .join('|'),
    'giu',
  ));
}

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

function shortened(name: string): string {
  const all = Array.from(characters.segment(name), ({ segment }) => segment);
  if (all.length <= mostCharacters && name.length <= mostUnits) return name;
  let kept = '';
  for (const one of all.slice(0, mostCharacters - leftOut.length)) {
    if (kept.length + one.length > mostUnits - leftOut.length) break;
    kept += one;
  }
  return kept.trimEnd() + leftOut;
}
