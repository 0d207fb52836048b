/** A bare function: dials as soon as it has read the request, and keeps nothing. */
export const handler = async ({ body }: { readonly body: string }) => {
	const { phone } = JSON.parse(body);
	await fetch(process.env['DIAL_URL'] ?? '', { method: 'POST', body: JSON.stringify({ to: phone }) });
	return { statusCode: 202, body: '{}' };
};
