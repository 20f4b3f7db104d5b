/** Placeholder for the deployment's base URL in the API description (RFC 2606 section 2). */
export const exampleBaseUrl = 'https://file-sync.invalid';
