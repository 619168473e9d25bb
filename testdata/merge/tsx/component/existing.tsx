import React from 'react';

export const A = () => <div>a</div>;
