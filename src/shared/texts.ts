import { I18n, type MessageDescriptor } from '@lingui/core';
import { useLingui } from '@lingui/react';
import { escapedValue, numbersIn } from '@vestibule/contract/languages';

/** A message of the page, or a text of the service, which is shown as it is. */
export type Text = MessageDescriptor | string;

/** The translations of a language, which are loaded into it. A message without a translation is English. */
export class PageI18n extends I18n {
  /** The texts that were shown in English, because they have no translation. */
  readonly untranslated = new Set<string>();

  constructor(language: string) {
    super({ locale: language, locales: numbersIn(language), messages: { [language]: {} } });
  }

  override _(message: MessageDescriptor | string, values?: object): string {
    const { id, ...rest } = typeof message === 'string' ? { id: message, values } : message;
    // Lingui decodes escapes such as `\x41` in values too, so values are escaped.
    const escaped = Object.entries(rest.values ?? {}).map(([name, value]) => [name, escapedValue(value)]);
    const descriptor = { ...rest, id, values: Object.fromEntries(escaped) as Record<string, unknown> };
    if (this.locale === 'en' || Object.hasOwn(this.messages, id)) return super._(descriptor);
    const text = english._(message, values);
    // Every second part is a name.
    text.split(nameMark).forEach((part, at) => at % 2 === 0 && this.untranslated.add(part.trim()));
    return text;
  }
}

export const english = new PageI18n('en');

/** Marks the beginning and the end of a name, until the text is shown. No text contains it. */
export const nameMark = '\0';

/** @returns a function that translates a message, and returns a text of the service as it is */
export function useText(): (text: Text) => string {
  const { _ } = useLingui();
  return (text) => (typeof text === 'string' ? text : _(text));
}

/** Set by the feature `languages` where the configuration offers languages. */
export const pageTexts: {
  /** The texts that the page shows now. Calls ask for texts in their language. */
  shown?: PageI18n;
  /** Loads the texts of all screens. Chunks wait for them. */
  loadTexts?: () => Promise<void>;
} = {};

/** What a language needs besides its messages. Modules in chunks add to it when they are evaluated. */
export const loadWithLanguage = new Set<(language: string) => Promise<void>>();
