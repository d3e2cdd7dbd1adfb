import { useState } from 'react';
import { labMessages } from './lab.messages';
import styles from './lab.module.css';

interface LaboratoryProps {
  readonly names: readonly string[];
  /** The requested name if there is no scenario of that name. */
  readonly missing?: string | undefined;
}

const controls = {
  look: ['default', 'epay'],
  scheme: ['light', 'dark'],
  width: ['320', '1280'],
  dir: ['ltr', 'rtl'],
  words: ['plain', 'long'],
  embedding: ['none', 'trusted'],
} as const;

type Control = keyof typeof controls;
type Choices = Readonly<Record<Control, string>>;

const first = Object.fromEntries(
  Object.entries(controls).map(([control, [choice]]) => [control, choice]),
) as Choices;

/** `/#lab`: a live preview of every scenario, in the look that is chosen. */
export function Laboratory({ names, missing }: LaboratoryProps) {
  const [choices, setChoices] = useState(first);
  const [filter, setFilter] = useState('');
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
        <label className={styles['control']}>
          {labMessages.find}
          <input type="search" value={filter} onChange={({ target }) => setFilter(target.value)} />
        </label>
        <output>{labMessages.count(shown.length)}</output>
      </form>
      {[...phases].map((phase) => (
        <section key={phase}>
          <h2 className={styles['phase']}>{phase}</h2>
          <div className={styles['previews']}>
            {shown
              .filter((name) => phaseOf(name) === phase)
              .map((name) => (
                <Preview key={name} name={name} choices={choices} />
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

function Preview({ name, choices }: { readonly name: string; readonly choices: Choices }) {
  const { width, ...look } = choices;
  const address = `/?${new URLSearchParams({ scenario: name, ...look }).toString()}`;
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
