import { TextLink } from '@shared/ui/buttons/links';
import type { SecondStepSwitchProps } from '@shared/slots';
import { recoveryStepMessages } from './recoveryStep.messages';
export { RecoveryForm } from './RecoveryForm';

/** From the six boxes to a recovery code, and back. */
export function RecoverySwitch({ isOpen, href, onSwitch }: SecondStepSwitchProps) {
  return (
    <p>
      <TextLink href={href} onFollow={onSwitch}>
        {isOpen ? recoveryStepMessages.back : recoveryStepMessages.use}
      </TextLink>
    </p>
  );
}
