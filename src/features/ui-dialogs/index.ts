export { askConfirm, showAlert } from './askConfirm.saga';
export { showWrongCode } from './showWrongCode.saga';
export { wrongCodeMessages } from './wrongCode.messages';
export { dialogMessages } from './dialogs.messages';
export { DialogHost } from './DialogHost.container';
export {
  dialogAnswered,
  dialogOpened,
  selectTopDialog,
  type DialogState,
  type Failure,
} from './dialogs.slice';
