let count = 0;

/** Returns the number of its invocations, and the endpoint of AWS. */
export const handler = async () => {
  count += 1;
  const body = { count, endpoint: process.env.AWS_ENDPOINT_URL };
  return { statusCode: 200, body: JSON.stringify(body) };
};
