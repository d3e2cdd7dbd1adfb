import { useLayoutEffect, useRef, useState, type FocusEvent, type ReactNode, type Ref } from 'react';
import layout from '../layout.module.css';
import { focusPlace } from './focusPlace';

interface PartProps {
  readonly ref?: Ref<HTMLDivElement>;
  readonly onFocus?: (event: FocusEvent) => void;
  readonly children?: ReactNode;
}

/**
 * A group around elements that may be removed while one of them has the focus. Orca then continues in the nearest group
 * around the removed element, and does not say an element in that group that gets the focus.
 */
export function Part({ children, ...listeners }: PartProps) {
  return (
    <div role="group" className={layout['part']} {...listeners}>
      {children}
    </div>
  );
}

interface StepsProps {
  /** The name of the children. Another name means that they are replaced. */
  readonly step: string;
  readonly children: ReactNode;
}

/** Shows screens or steps in turn, each in another `Part` than the one before, so that a screen reader says what gets the focus. */
export function Steps({ step, children }: StepsProps) {
  const [shown, setShown] = useState({ step, turn: 0 });
  if (shown.step !== step) setShown({ step, turn: 1 - shown.turn });
  const focused = useRef<Element>(null);
  const part = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const gone = focused.current;
    if (gone?.isConnected !== false) return;
    focused.current = null;
    if (part.current && gone.ownerDocument.activeElement === gone.ownerDocument.body)
      focusPlace(part.current);
  }, [shown.turn]);
  const note = ({ target }: FocusEvent): void => {
    focused.current = target;
  };
  return [0, 1].map((turn) => (
    <Part key={turn} ref={turn === shown.turn ? part : null} onFocus={note}>
      {turn === shown.turn && children}
    </Part>
  ));
}
