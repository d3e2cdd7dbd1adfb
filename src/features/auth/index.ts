export { authReducer } from './auth.reducer';
export { authSaga } from './auth.saga';
export { Login } from './sign-in/Login.container';
export { completeSignIn } from './sign-in/completeSignIn.saga';
export { showLoginError } from './sign-in/showLoginError.saga';
export { loginEntered } from './sign-in/signIn.slice';
