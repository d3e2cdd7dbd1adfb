import { useLingui } from '@lingui/react';
import { useConfig } from '@shared/contexts';
import { useSyncExternalStore } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import styles from './LanguageChoice.module.css';
import { languagesMessages } from './languages.messages';
import { languageChosen, selectChosenLanguage } from './languages.slice';

/** The choice between two languages or more, each under its own name. */
export function LanguageChoice() {
  const { _ } = useLingui();
  const { languages = [] } = useConfig();
  const chosen = useSelector(selectChosenLanguage);
  const dispatch = useDispatch();
  // The pre-rendered first step has no footer.
  const isDrawn = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  if (!isDrawn || languages.length < 2) return null;
  // English is shown if the catalogue of the default did not load.
  const offered = chosen === 'en' && !languages.includes(chosen) ? [chosen, ...languages] : languages;
  return (
    <footer className={styles['footer']}>
      <label className={styles['choice']}>
        {_(languagesMessages.label)}
        <select
          className={styles['select']}
          value={chosen}
          onChange={({ target }) => void dispatch(languageChosen(target.value))}
        >
          {offered.map((language) => (
            <option key={language} value={language} lang={language}>
              {nameIn(language)}
            </option>
          ))}
        </select>
      </label>
    </footer>
  );
}

const never = () => () => undefined;

/** The name of a language in itself, with a capital. */
function nameIn(language: string): string {
  const name = new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language;
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
}
