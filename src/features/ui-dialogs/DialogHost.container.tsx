import { Dialog } from '@shared/ui/page/Dialog';
import { useDispatch, useSelector } from 'react-redux';
import { dialogAnswered, selectTopDialog } from './dialogs.slice';

/** Shows the dialog on top. */
export function DialogHost() {
  const dialog = useSelector(selectTopDialog);
  const dispatch = useDispatch();
  if (!dialog) return null;
  const answer = (confirmed: boolean) => () => void dispatch(dialogAnswered({ id: dialog.id, confirmed }));
  return (
    <Dialog
      key={dialog.id}
      title={dialog.title}
      message={dialog.message}
      confirmLabel={dialog.confirmLabel}
      {...(dialog.cancelLabel === undefined ? {} : { cancelLabel: dialog.cancelLabel })}
      {...(dialog.tone && { tone: dialog.tone })}
      onConfirm={answer(true)}
      onCancel={answer(false)}
    />
  );
}
