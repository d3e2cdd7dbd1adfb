import { selectLocation } from '@shared/routing/location.slice';
import { TextLink } from '@shared/ui/buttons/links';
import { paths } from '@vestibule/contract/paths';
import { useDispatch, useSelector } from 'react-redux';
import { codeKindSwitched } from './challenge.slice';
import { recoveryMessages } from './recovery.messages';
export { RecoveryForm } from './RecoveryForm';

/** From the six boxes to a recovery code, and back. */
export function RecoveryLink({ isOpen }: { readonly isOpen: boolean }) {
  const { search } = useSelector(selectLocation);
  const dispatch = useDispatch();
  return (
    <p>
      <TextLink href={paths.twoAuth(search)} onFollow={() => void dispatch(codeKindSwitched())}>
        {isOpen ? recoveryMessages.back : recoveryMessages.use}
      </TextLink>
    </p>
  );
}
