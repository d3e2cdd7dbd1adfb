import { Dialog } from '@shared/ui/page/Dialog';
import { Fragment, type ReactNode } from 'react';
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
  if (!dialog) return null;
  const answer = (confirmed: boolean) => () => void dispatch(dialogAnswered({ id: dialog.id, confirmed }));
  return (
    <Dialog
      key={dialog.id}
      title={withName(dialog.title, dialog.name)}
      message={withName(dialog.message, dialog.name)}
      {...(dialog.trouble && { advice: dialogMessages.trouble[dialog.trouble] })}
      confirmLabel={dialog.confirmLabel}
      {...(dialog.cancelLabel === undefined ? {} : { cancelLabel: dialog.cancelLabel })}
      {...(dialog.tone && { tone: dialog.tone })}
      // Every alert is about an error.
      details={dialog.kind === 'alert' && details}
      onConfirm={answer(true)}
      onCancel={answer(false)}
    />
  );
}

/** Marks the name in a text. It does not use `Name`, which is not in the first bundle. No text contains `\0`. */
const withName = (text: string, name = '\0'): ReactNode =>
  text.split(name).map((part, at) => (
    <Fragment key={at}>
      {at > 0 && <bdi translate="no">{name}</bdi>}
      <span>{part}</span>
    </Fragment>
  ));
