import { useLingui } from '@lingui/react';
import { selectIsEmbedded } from '@features/session';
import type { TwoStepMethod } from '@shared/api/decoders';
import { ScreenTitle } from '@shared/brand/ScreenTitle.container';
import { paths } from '@vestibule/contract/paths';
import { Button } from '@shared/ui/buttons/Button';
import layout from '@shared/ui/layout.module.css';
import { StatusBadge } from '@shared/ui/page/WidePage';
import { useAutoFocus } from '@shared/ui/useAutoFocus';
import { useDispatch, useSelector } from 'react-redux';
import { mfaMessages } from '../mfa.messages';
import { enrolmentMethodChosen } from '../enrolment/enrolment.slice';
import { EnrolmentCard } from '../enrolment/EnrolmentCard';

/** `/mfa-options`: the choice of a method. */
export function MfaOptionsScreen() {
  const { _ } = useLingui();
  const dispatch = useDispatch();
  const embedded = useSelector(selectIsEmbedded);
  return (
    <>
      <ScreenTitle screen={_(mfaMessages.enrolmentTitle)} />
      <MfaOptions
        takesFocus={!embedded}
        onChoose={(method) => void dispatch(enrolmentMethodChosen({ method }))}
      />
    </>
  );
}

interface MfaOptionsProps {
  /** Whether the title takes the focus on its own; not in an iframe. */
  readonly takesFocus: boolean;
  readonly onChoose: (method: TwoStepMethod) => void;
}

/** The two methods, the recommended one first. */
function MfaOptions({ takesFocus, onChoose }: MfaOptionsProps) {
  const { _ } = useLingui();
  const title = useAutoFocus<HTMLHeadingElement>(takesFocus);
  const { recommended, back } = mfaMessages.options;
  const { text, app } = mfaMessages.methods;
  return (
    <EnrolmentCard titleRef={title} backLabel={_(back)} back={paths.accountSettings()}>
      <div className={layout['tight']}>
        <Button wide onClick={() => onChoose('app')}>
          <span>{`${_(app)} `}</span>
          <StatusBadge>{_(recommended)}</StatusBadge>
        </Button>
        <Button wide onClick={() => onChoose('text')}>
          {_(text)}
        </Button>
      </div>
    </EnrolmentCard>
  );
}
