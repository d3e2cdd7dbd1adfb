// The yardstick `y`: every library that the application is made of on a page that does nothing with them but a username form.
import { configureStore, createSlice } from '@reduxjs/toolkit';
import axios from 'axios';
import Cookies from 'js-cookie';
import { jwtDecode } from 'jwt-decode';
import { useLayoutEffect, useRef, useState } from 'react';
import { Provider, useDispatch, useSelector } from 'react-redux';
import createSagaMiddleware from 'redux-saga';
import { call, put, takeLeading } from 'redux-saga/effects';

const slice = createSlice({
  name: 'login',
  initialState: { answer: '' },
  reducers: { submitted: (state) => state, answered: (_state, { payload }) => ({ answer: payload }) },
});
const { submitted, answered } = slice.actions;

function* ask({ payload }) {
  const { data } = yield call(axios.get, `/auth/v1/method/${encodeURIComponent(payload)}`);
  const token = Cookies.get('session');
  yield put(answered(`${JSON.stringify(data)}${token ? jwtDecode(token).sub : ''}`));
}

export function createPage(Router) {
  const sagas = createSagaMiddleware();
  const store = configureStore({
    reducer: slice.reducer,
    middleware: (defaults) => defaults({ thunk: false }).concat(sagas),
  });
  sagas.run(function* () {
    yield takeLeading(submitted, ask);
  });
  return (
    <Provider store={store}>
      <Router>
        <Form />
      </Router>
    </Provider>
  );
}

function Form() {
  const field = useRef(null);
  const [username, setUsername] = useState('');
  const dispatch = useDispatch();
  const answer = useSelector((state) => state.answer);
  useLayoutEffect(() => setUsername(field.current.value), []);
  const submit = (event) => {
    event.preventDefault();
    dispatch(submitted(username));
  };
  return (
    <form method="post" onSubmit={submit}>
      <h1>Welcome</h1>
      <label>
        Username{' '}
        <input
          ref={field}
          name="username"
          autoComplete="username"
          onInput={(event) => setUsername(event.currentTarget.value)}
        />
      </label>
      <button type="submit" disabled={username === ''}>
        Next
      </button>
      <p>{answer}</p>
    </form>
  );
}
