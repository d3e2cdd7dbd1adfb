import { useState, type ReactNode } from 'react';
import layout from '../layout.module.css';

interface PartProps {
  readonly children?: ReactNode;
}

/**
 * Around elements that may be removed while one of them has the focus. When the element with the focus is removed, Orca continues
 * in the nearest group around it, and says nothing about an element in there that gets the focus.
 */
export function Part({ children }: PartProps) {
  return (
    <div role="group" className={layout['part']}>
      {children}
    </div>
  );
}

interface StepsProps {
  /** Names what is shown; another name means that the children are replaced. */
  readonly step: string;
  readonly children: ReactNode;
}

/** Shows screens or steps in turn, each in another `Part` than the one before, so that a screen reader says what gets the focus. */
export function Steps({ step, children }: StepsProps) {
  const [shown, setShown] = useState({ step, turn: 0 });
  if (shown.step !== step) setShown({ step, turn: 1 - shown.turn });
  return [0, 1].map((turn) => <Part key={turn}>{turn === shown.turn && children}</Part>);
}
