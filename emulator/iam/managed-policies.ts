/** AWS's own policies that the template attaches, as AWS publishes them ("AWS managed policy reference"). */
export const managedPolicies: Readonly<Record<string, unknown>> = {
  'service-role/AWSLambdaBasicExecutionRole': {
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Action: ['logs:CreateLogGroup', 'logs:CreateLogStream', 'logs:PutLogEvents'],
        Resource: '*',
      },
    ],
  },
};
