/** The name of the error with which a platform that knows of it ends the answer to a client that has disconnected. */
export const clientLeft = 'ClientLeft';

/** The error that ends the answer to a client that has disconnected. */
export const clientLeftError = (): Error =>
  Object.assign(new Error('the client has disconnected'), { name: clientLeft });
