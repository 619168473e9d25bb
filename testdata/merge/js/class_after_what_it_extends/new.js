const y = new Base();
