import type { RootState } from '@app/rootReducer';
import { useEffect, useRef, useState, type ChangeEvent, type RefObject } from 'react';
import { labMessages } from './lab.messages';
import styles from './lab.module.css';
import { readRecording, type ReadRecording, type Step } from './readRecording';

interface ReplayProps {
  readonly browser: Window;
  /** The address of the page in the frame. */
  readonly address: string;
  /** The message of the frame that says that it accepts states. */
  readonly readyEvent: string;
}

const words = labMessages.replay;

/** `/#replay`: a recording, step by step, next to its events. */
export function Replay(props: ReplayProps) {
  const [read, setRead] = useState<ReadRecording | null>(null);
  const take = (text: string): void => setRead(readRecording(text));
  const takeFile = async (file: Blob | null | undefined): Promise<void> => {
    if (file) take(await file.text());
  };
  const drop = useRef(takeFile);
  useEffect(() => {
    const { document } = props.browser;
    const stay = (event: DragEvent): void => event.preventDefault();
    const dropped = (event: DragEvent): void => {
      event.preventDefault();
      void drop.current(event.dataTransfer?.files.item(0));
    };
    document.addEventListener('dragover', stay);
    document.addEventListener('drop', dropped);
    return () => {
      document.removeEventListener('dragover', stay);
      document.removeEventListener('drop', dropped);
    };
  }, [props.browser]);
  return (
    <main className={styles['page']}>
      <h1>{words.title}</h1>
      <p>{words.lead}</p>
      <div className={styles['controls']}>
        <label className={styles['control']}>
          {words.paste}
          <textarea
            rows={2}
            value=""
            onChange={({ target }: ChangeEvent<HTMLTextAreaElement>) => take(target.value)}
          />
        </label>
        <label className={styles['control']}>
          {words.file}
          <input type="file" onChange={({ target }) => void takeFile(target.files?.item(0))} />
        </label>
      </div>
      {read && !read.ok && <p role="alert">{read.problem}</p>}
      {read?.ok && <Steps {...props} about={read.about} steps={read.steps} />}
    </main>
  );
}

/** The longest wait between two events, ms. */
const longestWait = 2000;

function Steps({
  browser,
  address,
  readyEvent,
  about,
  steps,
}: ReplayProps & { readonly about: string; readonly steps: readonly Step[] }) {
  const [index, setIndex] = useState(steps.length - 1);
  const [isPlaying, setIsPlaying] = useState(false);
  const at = Math.min(index, steps.length - 1);
  const frame = useShown(browser, readyEvent, steps[at]?.state);
  useEffect(() => {
    const [now, next] = [steps[at], steps[at + 1]];
    if (!isPlaying || !now || !next) return undefined;
    const wait = Math.min(longestWait, Math.max(100, (next.at ?? 0) - (now.at ?? 0)));
    const timer = browser.setTimeout(() => {
      setIndex(at + 1);
      if (at + 2 >= steps.length) setIsPlaying(false);
    }, wait);
    return () => browser.clearTimeout(timer);
  }, [browser, steps, at, isPlaying]);
  const play = (): void => {
    if (!isPlaying && at === steps.length - 1) setIndex(0);
    setIsPlaying(!isPlaying);
  };
  return (
    <>
      <p>{about}</p>
      <div className={styles['controls']}>
        <button type="button" onClick={play}>
          {isPlaying ? words.pause : words.play}
        </button>
        {/* A slider: the arrow keys step. */}
        <label className={styles['control']}>
          {words.step}
          <input
            type="range"
            min={0}
            max={steps.length - 1}
            value={at}
            onChange={({ target }) => setIndex(target.valueAsNumber)}
          />
        </label>
        <output>{`${String(at + 1)} / ${String(steps.length)}`}</output>
      </div>
      <div className={styles['replay']}>
        <Log steps={steps} at={at} onChoose={setIndex} />
        {/* Inert: what it draws is not to be trusted. */}
        <iframe ref={frame} className={styles['screen']} title={words.screen} src={address} inert />
      </div>
    </>
  );
}

function Log({
  steps,
  at,
  onChoose,
}: {
  readonly steps: readonly Step[];
  readonly at: number;
  readonly onChoose: (index: number) => void;
}) {
  return (
    <ol className={styles['log']} aria-label={words.log}>
      {steps.map((step, index) => (
        <li key={index} aria-current={index === at ? 'step' : undefined}>
          <button type="button" onClick={() => onChoose(index)}>
            {step.type}
          </button>{' '}
          {step.at !== null && <small>{`${((step.at - (steps[0]?.at ?? 0)) / 1000).toFixed(1)} s`}</small>}
        </li>
      ))}
    </ol>
  );
}

type StatePage = Window & { readonly move?: (state: RootState) => void };

/** Shows the state in the frame as soon as the frame accepts it. */
function useShown(
  browser: Window,
  readyEvent: string,
  state: RootState | undefined,
): RefObject<HTMLIFrameElement | null> {
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    const show = (): void => {
      if (state) (frame.current?.contentWindow as StatePage | null)?.move?.(state);
    };
    show();
    browser.addEventListener(readyEvent, show);
    return () => browser.removeEventListener(readyEvent, show);
  }, [browser, readyEvent, state]);
  return frame;
}
