import { I18nProvider, useLingui } from '@lingui/react';
import { useConfig } from '@shared/contexts';
import { markEnglish } from '@shared/ports/browser/markEnglish';
import { writePageLanguage } from '@shared/ports/browser/pageLanguage';
import { pageTexts } from '@shared/texts';
import { directionOf } from '@vestibule/contract/languages';
import { useEffect, useLayoutEffect, type ReactNode } from 'react';
import { useSelector } from 'react-redux';
import { loadLanguage, translationsOf } from './catalogues';
import { selectLanguage } from './languages.slice';

/** Shows its contents in the language of the state. */
export function Translated({ children }: { readonly children: ReactNode }) {
  const { languages = [] } = useConfig();
  const selected = useSelector(selectLanguage);
  // A recording may be of a page with other languages.
  const language = languages.includes(selected) ? selected : 'en';
  const i18n = translationsOf(language);
  useEffect(() => {
    // A state of DevTools or of a recording may have a language that this page has not loaded.
    if (i18n !== pageTexts.shown)
      void loadLanguage(language).then(
        () => i18n.emit('change'),
        () => undefined,
      );
    return markEnglish(i18n.untranslated);
  }, [i18n, language]);
  return (
    <I18nProvider i18n={i18n}>
      <PageLanguage />
      {children}
    </I18nProvider>
  );
}

/** Changes the language of the document together with the texts. */
function PageLanguage() {
  const { locale } = useLingui().i18n;
  useLayoutEffect(() => {
    writePageLanguage(locale, directionOf(locale));
  }, [locale]);
  return null;
}
