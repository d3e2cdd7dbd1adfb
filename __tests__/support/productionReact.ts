// React and Redux as the production build has them: import this before anything that imports them. A jump takes a third of the time, for
// a development build keeps a stack trace with each element. The application itself stays as in a test.
const { NODE_ENV } = process.env;
Object.assign(process.env, { NODE_ENV: 'production' });
const react = ['react', 'react/jsx-runtime', 'react-dom', 'react-dom/client', 'react-redux'];
// Redux Toolkit looks for the recorder when it is loaded.
for (const name of [
  './devToolsRecorder',
  ...react,
  'redux',
  '@reduxjs/toolkit',
  'redux-saga',
  'react-router-dom',
])
  jest.requireActual(name);
Object.assign(process.env, { NODE_ENV });
