import { createSelector } from '@reduxjs/toolkit';
import { english, type Text } from '@shared/texts';
import { createAppStore } from '@app/store';
import { passwordSubmitted, usernameSubmitted, type SignInState } from '@features/auth/sign-in/signIn.slice';
import { dialogAnswered, selectTopDialog, type DialogState } from '@features/ui-dialogs';
import type { FakeDeps } from './fakeDeps';

/** The running application without its screens: the real store and the real sagas over fake ports. */
export type OpenApp = ReturnType<typeof openApp>;

/**
 * Opens the application in a tab. Needs jest's fake timers, because the sagas poll; ends with the test, because
 * nothing outside its fakes references it.
 */
export function openApp(deps: FakeDeps) {
  const { store, start } = createAppStore();
  let dispatched = 0;
  store.subscribe(() => {
    dispatched += 1;
  });
  start(deps);
  const readDialog = createSelector([selectTopDialog], (top) => top && shownDialog(top));
  const dialog = (): ShownDialog | undefined => readDialog(store.getState());
  return {
    deps,
    /** To render the screens with. */
    store,
    state: store.getState,
    dispatch: (action: { readonly type: string }) => void store.dispatch(action),
    /** Dispatches, and runs all work that waits for a response and not for time. */
    send: async (action: { readonly type: string }) => {
      store.dispatch(action);
      await settle();
    },
    /** Opens an address as a link of another page does. */
    visit: async (path: string) => {
      deps.navigation.visit(path);
      await settle();
    },
    /** The current path, query and fragment. */
    address: deps.navigation.address,
    /** How many actions have reached the reducers. */
    dispatched: () => dispatched,
    /** The current step of `/login`. */
    signIn: (): SignInState => store.getState().auth.signIn,
    /** The topmost dialog, in English. */
    dialog,
    /** Presses the confirming button of the topmost dialog, or dismisses it. */
    answerDialog: (confirmed: boolean) => {
      const top = dialog();
      if (!top) throw new Error('No dialog is open');
      store.dispatch(dialogAnswered({ id: top.id, confirmed }));
    },
  };
}

/** Runs everything that waits for an answer and not for time. */
export async function settle(): Promise<void> {
  await jest.advanceTimersByTimeAsync(0);
}

/** Lets time pass, ms, and runs everything that is due. */
export async function pass(ms: number): Promise<void> {
  await jest.advanceTimersByTimeAsync(ms);
}

/** The first step of `/login`: the username is submitted and its methods are loaded. */
export async function enterUsername(
  app: OpenApp,
  username = 'ada@example.com',
  rememberMe = false,
): Promise<void> {
  app.dispatch(usernameSubmitted({ username, rememberMe }));
  await settle();
}

/** Both steps of `/login` for a user with a password; the answers must be arranged. */
export async function signInWithPassword(
  app: OpenApp,
  { username = 'ada@example.com', password = 'Corr3ct-horse', rememberMe = false } = {},
): Promise<void> {
  await enterUsername(app, username, rememberMe);
  app.dispatch(passwordSubmitted(password));
  await settle();
}

type Label = 'title' | 'message' | 'confirmLabel';
type ShownDialog = Omit<DialogState, Label | 'cancelLabel'> &
  Readonly<Record<Label, string>> & { readonly cancelLabel: string | undefined };

const shownDialog = (dialog: DialogState): ShownDialog => ({
  ...dialog,
  title: inEnglish(dialog.title),
  message: inEnglish(dialog.message),
  confirmLabel: inEnglish(dialog.confirmLabel),
  cancelLabel: dialog.cancelLabel && inEnglish(dialog.cancelLabel),
});

/** A text as an English page shows it. */
export const inEnglish = (text: Text): string => (typeof text === 'string' ? text : english._(text));
