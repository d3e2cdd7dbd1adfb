import { useLingui } from '@lingui/react';
import { Button } from '@shared/ui/buttons/Button';
import layout from '@shared/ui/layout.module.css';
import { Notice } from '@shared/ui/page/Notice';
import { useFocusKept } from '@shared/ui/page/WidePage';
import { activityMessages } from './activity.messages';
import type { OtherSessionsState } from './otherSessions.slice';

interface OtherSessionsProps {
  readonly phase: OtherSessionsState['phase'];
  readonly onEnd: () => void;
}

/** 'You are also signed in elsewhere.' Without an offer it is empty. */
export function OtherSessions({ phase, onEnd }: OtherSessionsProps) {
  const { _ } = useLingui();
  const focusKept = useFocusKept<HTMLDivElement>(({ ownerDocument }) => ownerDocument.querySelector('h1'));
  return (
    <Notice>
      {phase !== 'none' && (
        <div className={layout['tight']} {...focusKept}>
          <p>{_(activityMessages.signedInElsewhere)}</p>
          <div>
            {/* When the dialog closes, it returns the focus to this button, which is already busy then. */}
            <Button variant="danger" keepsFocus busy={phase === 'ending'} onClick={onEnd}>
              {_(activityMessages.sessions.endOthers)}
            </Button>
          </div>
        </div>
      )}
    </Notice>
  );
}
