import { formatAmount, type Amount } from '@vestibule/contract/amount';

/** A value for a placeholder of a text. Dates, in UTC, and amounts are written in the language of the text. */
type Value = string | number | Date | Amount | Text;

/** A text that is translated (`worded`) when a message is stored or an error is sent. */
export interface Text {
  /** Its part and place, such as 'mails reset.subject'. */
  readonly id: string;
  readonly values: readonly Value[];
  readonly inEnglish: (...values: readonly (string | number)[]) => string;
}

type TextsOf<Declared> = {
  readonly [Key in keyof Declared]: Declared[Key] extends string
    ? Text
    : Declared[Key] extends (...values: infer Values) => string
      ? (...values: { [Index in keyof Values]: Value }) => Text
      : TextsOf<Declared[Key]>;
};

/** Declares the texts of a part in English. A function declares a text with placeholders. Translations are in the catalogues. */
export function texts<Declared extends object>(part: string, declared: Declared): TextsOf<Declared> {
  const made = (tree: object, prefix: string): object =>
    Object.fromEntries(
      Object.entries(tree).map(([key, one]: [string, unknown]) => {
        const id = prefix + key;
        if (typeof one === 'string') return [key, { id, values: [], inEnglish: () => one } satisfies Text];
        if (typeof one === 'function') {
          const inEnglish = one as Text['inEnglish'];
          return [key, (...values: readonly Value[]): Text => ({ id, values, inEnglish })];
        }
        return [key, made(one as object, `${id}.`)];
      }),
    );
  return made(declared, `${part} `) as TextsOf<Declared>;
}

/** The values of a text in a language. @param words writes dates and nested texts. */
export const filledIn = (
  { values }: Text,
  language: string,
  words: { readonly date: (date: Date) => string; readonly text: (text: Text) => string },
): readonly (string | number)[] =>
  values.map((value) => {
    if (typeof value !== 'object') return value;
    if (value instanceof Date) return words.date(value);
    return 'currency' in value ? formatAmount(value, language) : words.text(value);
  });

/** The English words of a text, for errors. Dates are ISO 8601. */
export const englishOf = (text: Text): string =>
  text.inEnglish(...filledIn(text, 'en', { date: (date) => date.toISOString(), text: englishOf }));
