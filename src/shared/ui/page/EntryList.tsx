import type { MessageDescriptor } from '@lingui/core';
import { useLingui } from '@lingui/react';
import type { ReactNode } from 'react';
import { Button } from '../buttons/Button';
import { Spinner } from '../buttons/Spinner';
import layout from '../layout.module.css';
import styles from './EntryList.module.css';
import { StatusBadge } from './WidePage';
import { Part } from './Steps';

interface EntryListProps<Entry> {
  readonly texts: {
    readonly loading: MessageDescriptor;
    readonly failed: MessageDescriptor;
    readonly empty: MessageDescriptor;
    readonly tryAgain: MessageDescriptor;
  };
  /** The state of the list; absent before the call. */
  readonly state:
    | { readonly phase: 'absent' | 'loading' | 'failed' }
    /** `next`: there are more entries to load. */
    | { readonly phase: 'loaded'; readonly entries: readonly Entry[]; readonly next?: string | null };
  readonly onTryAgain: () => void;
  /** An `EntryRow`. */
  readonly children: (entry: Entry) => ReactNode;
}

/** A loaded list, or the reason why there is none. */
export function EntryList<Entry>({ texts, state, onTryAgain, children }: EntryListProps<Entry>) {
  const { _ } = useLingui();
  switch (state.phase) {
    case 'absent':
    case 'loading':
      return <Spinner label={_(texts.loading)} />;
    case 'failed':
      return (
        <div className={layout['tight']}>
          <p role="alert">{_(texts.failed)}</p>
          <div>
            <Button onClick={onTryAgain}>{_(texts.tryAgain)}</Button>
          </div>
        </div>
      );
    case 'loaded':
      if (state.entries.length === 0 && !state.next)
        return <p className={layout['quiet']}>{_(texts.empty)}</p>;
      return <Entries>{state.entries.map(children)}</Entries>;
  }
}

/** A list of `EntryRow`s. */
export function Entries({ children }: { readonly children: ReactNode }) {
  return <ul className={styles['list']}>{children}</ul>;
}

interface EntryRowProps {
  /** The subject of the buttons, for screen readers. */
  readonly id?: string;
  /** A text, or a link. */
  readonly title: ReactNode;
  readonly badge?: string | false;
  readonly action?: ReactNode;
  /** Shown below the entry, such as a form that an action has opened. */
  readonly below?: ReactNode;
  readonly children: ReactNode;
}

/** An entry with its details and its buttons. */
export function EntryRow({ id, title, badge, action, below, children }: EntryRowProps) {
  return (
    <li className={styles['row']}>
      <div className={styles['entry']}>
        <p id={id} className={layout['row']}>
          <strong>{title}</strong>
          {badge && <StatusBadge>{badge}</StatusBadge>}
        </p>
        <div className={styles['facts']}>{children}</div>
      </div>
      {action}
      <Part>{below && <div className={styles['below']}>{below}</div>}</Part>
    </li>
  );
}
