import { Dialog } from '@shared/ui/Dialog';
import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';

const onConfirm = jest.fn();
const onCancel = jest.fn();

beforeEach(() => {
  onConfirm.mockReset();
  onCancel.mockReset();
});

function renderDialog(choice: { readonly cancelLabel?: string; readonly confirmLabel?: string } = {}) {
  return render(
    <Dialog
      title="Login Error"
      message="No Login Methods available"
      confirmLabel="Ok"
      onConfirm={onConfirm}
      onCancel={onCancel}
      {...choice}
    />,
  );
}

describe('a dialog', () => {
  it('opens as a modal alert with its title and its message', () => {
    const showModal = jest.spyOn(HTMLDialogElement.prototype, 'showModal');
    renderDialog();
    const dialog = screen.getByRole('alertdialog', { name: 'Login Error' });
    expect(dialog).toHaveAccessibleDescription('No Login Methods available');
    expect(showModal).toHaveBeenCalledTimes(1);
    showModal.mockRestore();
  });

  it('is confirmed by its button', async () => {
    renderDialog();
    await userEvent.click(screen.getByRole('button', { name: 'Ok' }));
    expect(onConfirm).toHaveBeenCalledTimes(1);
    expect(onCancel).not.toHaveBeenCalled();
  });

  it('puts the safe choice first, where the focus goes', () => {
    renderDialog({ cancelLabel: 'Cancel', confirmLabel: 'Turn Off 2-Step' });
    expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
      'Cancel',
      'Turn Off 2-Step',
    ]);
  });

  it('takes Cancel and Esc for no', async () => {
    renderDialog({ cancelLabel: 'Cancel' });
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    // The browser turns Esc into this event.
    fireEvent(screen.getByRole('alertdialog'), new Event('cancel', { cancelable: true }));
    expect(onCancel).toHaveBeenCalledTimes(2);
    expect(onConfirm).not.toHaveBeenCalled();
  });

  it('stays until whoever asked takes it away', () => {
    renderDialog();
    const escape = new Event('cancel', { cancelable: true });
    fireEvent(screen.getByRole('alertdialog'), escape);
    expect(escape.defaultPrevented).toBe(true);
  });

  it('closes while it is still in the document, so that the browser gives the focus back', () => {
    let wasConnected: boolean | undefined;
    const close = jest.spyOn(HTMLDialogElement.prototype, 'close').mockImplementation(function (
      this: HTMLDialogElement,
    ) {
      wasConnected = this.isConnected;
    });
    renderDialog().unmount();
    expect(wasConnected).toBe(true);
    close.mockRestore();
  });

  it('shows markup in a message as text', () => {
    render(
      <Dialog title="T" message="<b>bold</b>" confirmLabel="Ok" onConfirm={onConfirm} onCancel={onCancel} />,
    );
    expect(screen.getByText('<b>bold</b>')).toBeInTheDocument();
  });
});
