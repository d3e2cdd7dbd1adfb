import { selectLocation } from '@shared/routing/location.slice';
import { TextLink } from '@shared/ui/buttons/links';
import { paths } from '@vestibule/contract/paths';
import { useDispatch, useSelector } from 'react-redux';
import { codeKindSwitched } from './challenge.slice';
import type { EnterCodeFormProps } from './EnterCodeForm';
import { recoveryMessages } from './recovery.messages';
import { RecoveryForm } from './RecoveryForm';

/** The link to the form for a recovery code, or that form instead of the six boxes. */
export function RecoveryPart({
  form,
  isOpen,
}: {
  readonly form: EnterCodeFormProps;
  readonly isOpen: boolean;
}) {
  const { search } = useSelector(selectLocation);
  const dispatch = useDispatch();
  return (
    <>
      {isOpen && <RecoveryForm {...form} />}
      <p>
        <TextLink href={paths.twoAuth(search)} onFollow={() => void dispatch(codeKindSwitched())}>
          {isOpen ? recoveryMessages.back : recoveryMessages.use}
        </TextLink>
      </p>
    </>
  );
}
