import type { AppConfig } from '@vestibule/contract/appConfig';
import { useState } from 'react';
import { labMessages } from './lab.messages';
import styles from './lab.module.css';
import { withTheme } from './theme';

interface LaboratoryProps {
  readonly names: readonly string[];
  /** The requested name if there is no scenario of that name. */
  readonly missing?: string | undefined;
  readonly config: AppConfig;
}

/** The value of a preview without a choice: its direction follows the language. */
const unset = '';

const controls = {
  look: ['default', 'epay'],
  scheme: ['light', 'dark'],
  width: ['320', '1280'],
  dir: [unset, 'ltr', 'rtl'],
  words: ['plain', 'long'],
  embedding: ['none', 'trusted'],
} as const;

type Control = keyof typeof controls;
type Choices = Readonly<Record<Control, string>>;

const first = Object.fromEntries(
  Object.entries(controls).map(([control, [choice]]) => [control, choice]),
) as Choices;

/** `/#lab`: a live preview of every scenario, in the look that is chosen. */
export function Laboratory({ names, missing, config }: LaboratoryProps) {
  const { languages = [] } = config;
  const [choices, setChoices] = useState(first);
  const [language, setLanguage] = useState(languages[0] ?? 'en');
  const [filter, setFilter] = useState('');
  const [theme, setTheme] = useState('');
  const shown = names.filter((name) => name.toLowerCase().includes(filter.toLowerCase()));
  const phases = new Set(shown.map(phaseOf));
  return (
    <main className={styles['page']}>
      <h1>{labMessages.title}</h1>
      <p role={missing === undefined ? undefined : 'alert'}>
        {missing === undefined ? labMessages.lead : labMessages.missing(missing)}
      </p>
      <form className={styles['controls']}>
        {(Object.keys(controls) as Control[]).map((control) => (
          <Choice
            key={control}
            control={control}
            value={choices[control]}
            onChoose={(choice) => setChoices({ ...choices, [control]: choice })}
          />
        ))}
        {languages.length > 1 && (
          <label className={styles['control']}>
            {labMessages.language}
            <select value={language} onChange={({ target }) => setLanguage(target.value)}>
              {languages.map((one) => (
                <option key={one}>{one}</option>
              ))}
            </select>
          </label>
        )}
        <label className={styles['control']}>
          {labMessages.find}
          <input type="search" value={filter} onChange={({ target }) => setFilter(target.value)} />
        </label>
        <ThemeField config={config} onChoose={setTheme} />
        <output>{labMessages.count(shown.length)}</output>
      </form>
      {[...phases].map((phase) => (
        <section key={phase}>
          <h2 className={styles['phase']}>{phase}</h2>
          <div className={styles['previews']}>
            {shown
              .filter((name) => phaseOf(name) === phase)
              .map((name) => (
                <Preview key={name} name={name} choices={choices} language={language} theme={theme} />
              ))}
          </div>
        </section>
      ))}
    </main>
  );
}

const phaseOf = (name: string): string => name.split('/').slice(0, 2).join('/');

function Choice({
  control,
  value,
  onChoose,
}: {
  readonly control: Control;
  readonly value: string;
  readonly onChoose: (choice: string) => void;
}) {
  const texts: Readonly<Record<string, string>> = labMessages.controls[control];
  return (
    <label className={styles['control']}>
      {texts['label']}
      <select value={value} onChange={({ target }) => onChoose(target.value)}>
        {controls[control].map((choice) => (
          <option key={choice} value={choice}>
            {texts[choice]}
          </option>
        ))}
      </select>
    </label>
  );
}

function ThemeField({
  config,
  onChoose,
}: {
  readonly config: AppConfig;
  readonly onChoose: (theme: string) => void;
}) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState('');
  const edit = (edited: string): void => {
    const read = edited.trim() === '' ? null : withTheme(config, edited);
    const isRefused = read?.ok === false;
    setText(edited);
    setProblem(isRefused ? read.problem : '');
    // The previews keep the last theme that was valid.
    if (!isRefused) onChoose(edited.trim());
  };
  return (
    <label className={styles['control']}>
      {labMessages.theme}
      <textarea
        rows={2}
        placeholder={labMessages.exampleTheme}
        value={text}
        aria-invalid={problem !== ''}
        onChange={({ target }) => edit(target.value)}
      />
      {problem !== '' && <span role="alert">{problem}</span>}
    </label>
  );
}

function Preview({
  name,
  choices,
  language,
  theme,
}: {
  readonly name: string;
  readonly choices: Choices;
  readonly language: string;
  readonly theme: string;
}) {
  const { width, dir, ...look } = choices;
  const query = {
    scenario: name,
    ...look,
    ...(dir !== unset && { dir }),
    ...(theme !== '' && { theme }),
    ui_locales: language,
  };
  const address = `/?${new URLSearchParams(query).toString()}`;
  return (
    <figure className={styles['preview']}>
      <div className={styles['window']} data-width={width}>
        {/* Inert: the screens of a sign-in take the focus. */}
        <iframe key={address} title={name} src={address} loading="lazy" inert />
      </div>
      <figcaption>
        <a href={address} title={labMessages.open}>
          {name.slice(phaseOf(name).length + 1)}
        </a>
      </figcaption>
    </figure>
  );
}
