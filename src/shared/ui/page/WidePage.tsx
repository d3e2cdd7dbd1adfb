import { useId, useLayoutEffect, useRef, type FocusEvent, type ReactNode } from 'react';
import { useAutoFocus } from '../useAutoFocus';
import { TitleWords } from './TitleWords';
import styles from './WidePage.module.css';

interface WidePageProps {
  /** The screen's only `h1`. */
  readonly title: string;
  /** Whether the title takes the focus by itself; not in a parent's frame. */
  readonly takesFocus: boolean;
  /** Shown above the title, such as a back link. */
  readonly above?: ReactNode;
  /** The sections, which are `Section` elements. */
  readonly children: ReactNode;
}

/** A screen of several sections, wider than a card. */
export function WidePage({ title, takesFocus, above, children }: WidePageProps) {
  return (
    <div className={styles['page']}>
      {above && <div className={styles['above']}>{above}</div>}
      <Title takesFocus={takesFocus}>{title}</Title>
      {children}
    </div>
  );
}

/** The title. It is a component of its own, so that its effect runs before that of a section that takes the focus. */
function Title({ takesFocus, children }: { readonly takesFocus: boolean; readonly children: string }) {
  const heading = useAutoFocus<HTMLHeadingElement>(takesFocus);
  return (
    <h1 ref={heading} tabIndex={-1} className={styles['title']}>
      <TitleWords>{children}</TitleWords>
    </h1>
  );
}

interface SectionProps {
  /** The `h2` of the section, which also names the region. */
  readonly title: string;
  readonly actions?: ReactNode;
  /** Shown below over the whole width, such as a list. */
  readonly details?: ReactNode;
  readonly children: ReactNode;
}

/** One subject of a screen: its state and its actions. */
export function Section({ title, actions, details, children }: SectionProps) {
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    <section className={styles['section']} aria-labelledby={id} {...useFocusKept(() => heading.current)}>
      <div className={styles['body']}>
        <h2 ref={heading} id={id} tabIndex={-1}>
          <TitleWords>{title}</TitleWords>
        </h2>
        {children}
      </div>
      {actions && (
        <div role="group" className={styles['actions']}>
          {actions}
        </div>
      )}
      {details && (
        <div role="group" className={styles['details']}>
          {details}
        </div>
      )}
    </section>
  );
}

/**
 * Moves the focus to a heading when an element with the focus is removed, such as the button of a row.
 *
 * @param headingFor - the heading that replaces an element
 * @returns the props of the element around what may be removed
 */
export function useFocusKept<Around extends HTMLElement>(headingFor: (gone: Element) => HTMLElement | null) {
  const around = useRef<Around>(null);
  const held = useRef<Element>(null);
  useLayoutEffect(() => {
    const gone = held.current;
    if (gone?.isConnected !== false) {
      // React handles no events while a dialog closes and returns the focus.
      const active = around.current?.ownerDocument.activeElement;
      if (active && around.current?.contains(active)) held.current = active;
      return;
    }
    held.current = null;
    const { activeElement, body } = gone.ownerDocument;
    if (activeElement === body) headingFor(gone)?.focus({ preventScroll: true });
  });
  return {
    ref: around,
    onFocus: ({ target }: FocusEvent) => {
      held.current = target;
    },
    // A disabled button loses the focus before it is removed.
    onBlur: ({ target }: FocusEvent) => {
      if (!target.matches(':disabled')) held.current = null;
    },
  };
}

/** A badge for a good state. */
export function StatusBadge({ children }: { readonly children: ReactNode }) {
  return <span className={styles['badge']}>{children}</span>;
}
