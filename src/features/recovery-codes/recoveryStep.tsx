import { useLingui } from '@lingui/react';
import { TextLink } from '@shared/ui/buttons/links';
import type { SecondStepSwitchProps } from '@shared/slots';
import type { MouseEvent } from 'react';
import { recoveryStepMessages } from './recoveryStep.messages';
export { RecoveryForm } from './RecoveryForm';

/** The link from the six boxes to a recovery code, and back. */
export function RecoverySwitch({ isOpen, href, onSwitch }: SecondStepSwitchProps) {
  const { _ } = useLingui();
  // A press with a modifier opens the screen in another window or tab.
  const onClick = (event: MouseEvent): void => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onSwitch();
  };
  return (
    <p>
      <TextLink to={href} onClick={onClick}>
        {_(isOpen ? recoveryStepMessages.back : recoveryStepMessages.use)}
      </TextLink>
    </p>
  );
}
