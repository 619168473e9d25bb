interface I {
    void a();
}

record R(int x) {
}
