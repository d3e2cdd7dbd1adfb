import { useLingui } from '@lingui/react';
import { Dialog } from '@shared/ui/page/Dialog';
import { Sentence } from '@shared/ui/Name';
import type { ReactNode } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { dialogMessages } from './dialogs.messages';
import { dialogAnswered, selectTopDialog } from './dialogs.slice';

interface DialogHostProps {
  /** What every dialog about an error offers in addition. */
  readonly details: ReactNode;
}

/** Shows the dialog on top. */
export function DialogHost({ details }: DialogHostProps) {
  const dialog = useSelector(selectTopDialog);
  const dispatch = useDispatch();
  const { _ } = useLingui();
  if (!dialog) return null;
  const answer = (confirmed: boolean) => () => void dispatch(dialogAnswered({ id: dialog.id, confirmed }));
  return (
    <Dialog
      key={dialog.id}
      title={<Sentence of={dialog.title} />}
      message={<Sentence of={dialog.message} />}
      {...(dialog.trouble && { advice: _(dialogMessages.trouble[dialog.trouble]) })}
      confirmLabel={_(dialog.confirmLabel)}
      {...(dialog.cancelLabel === undefined ? {} : { cancelLabel: _(dialog.cancelLabel) })}
      {...(dialog.tone && { tone: dialog.tone })}
      // Every alert is about an error.
      details={dialog.kind === 'alert' && details}
      onConfirm={answer(true)}
      onCancel={answer(false)}
    />
  );
}
