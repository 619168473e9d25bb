interface I {
    void a();

    void b();
}

record R(int x) {
    int y() {
        return x;
    }
}
